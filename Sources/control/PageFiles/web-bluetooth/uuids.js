// UUIDs, and the names that the specification has for those of the Bluetooth SIG.

/** Names by number: each takes the number after that of the name before, and a number in hex says where the next one begins. */
function numbered(text) {
  const numbers = new Map();
  let next = 0;
  for (const word of text.trim().split(/\s+/)) {
    if (/^[0-9A-F]{4}$/.test(word)) next = Number.parseInt(word, 16);
    else numbers.set(word, next++);
  }
  return numbers;
}

// https://github.com/WebBluetoothCG/registries
const SERVICES = numbered(`
  1800 generic_access generic_attribute immediate_alert link_loss tx_power current_time reference_time_update
  next_dst_change glucose health_thermometer device_information 180D heart_rate phone_alert_status battery_service
  blood_pressure alert_notification human_interface_device scan_parameters running_speed_and_cadence automation_io
  cycling_speed_and_cadence 1818 cycling_power location_and_navigation environmental_sensing body_composition
  user_data weight_scale bond_management continuous_glucose_monitoring internet_protocol_support indoor_positioning
  pulse_oximeter http_proxy transport_discovery object_transfer fitness_machine mesh_provisioning mesh_proxy
  reconnection_configuration
`);

const CHARACTERISTICS = numbered(`
  2A00 gap.device_name gap.appearance gap.peripheral_privacy_flag gap.reconnection_address
  gap.peripheral_preferred_connection_parameters gatt.service_changed alert_level tx_power_level date_time
  day_of_week day_date_time exact_time_100 exact_time_256 dst_offset time_zone local_time_information
  secondary_time_zone time_with_dst time_accuracy time_source reference_time_information time_broadcast
  time_update_control_point time_update_state glucose_measurement battery_level battery_power_state
  battery_level_state temperature_measurement temperature_type intermediate_temperature temperature_celsius
  temperature_fahrenheit measurement_interval boot_keyboard_input_report system_id model_number_string
  serial_number_string firmware_revision_string hardware_revision_string software_revision_string
  manufacturer_name_string ieee_11073-20601_regulatory_certification_data_list current_time magnetic_declination
  2A2F position_2d position_3d scan_refresh boot_keyboard_output_report boot_mouse_input_report
  glucose_measurement_context blood_pressure_measurement intermediate_cuff_pressure heart_rate_measurement
  body_sensor_location heart_rate_control_point removable service_required scientific_temperature_celsius string
  network_availability alert_status ringer_control_point ringer_setting alert_category_id_bit_mask alert_category_id
  alert_notification_control_point unread_alert_status new_alert supported_new_alert_category
  supported_unread_alert_category blood_pressure_feature hid_information report_map hid_control_point report
  protocol_mode scan_interval_window pnp_id glucose_feature record_access_control_point rsc_measurement rsc_feature
  sc_control_point digital digital_output analog analog_output aggregate csc_measurement csc_feature sensor_location
  plx_spot_check_measurement plx_continuous_measurement plx_features 2A62 pulse_oximetry_control_point
  cycling_power_measurement cycling_power_vector cycling_power_feature cycling_power_control_point
  location_and_speed navigation position_quality ln_feature ln_control_point elevation pressure temperature humidity
  true_wind_speed true_wind_direction apparent_wind_speed apparent_wind_direction gust_factor pollen_concentration
  uv_index irradiance rainfall wind_chill heat_index dew_point 2A7D descriptor_value_changed
  aerobic_heart_rate_lower_limit aerobic_threshold age anaerobic_heart_rate_lower_limit
  anaerobic_heart_rate_upper_limit anaerobic_threshold aerobic_heart_rate_upper_limit date_of_birth
  date_of_threshold_assessment email_address fat_burn_heart_rate_lower_limit fat_burn_heart_rate_upper_limit
  first_name five_zone_heart_rate_limits gender heart_rate_max height hip_circumference last_name
  maximum_recommended_heart_rate resting_heart_rate sport_type_for_aerobic_and_anaerobic_thresholds
  three_zone_heart_rate_limits two_zone_heart_rate_limit vo2_max waist_circumference weight
  database_change_increment user_index body_composition_feature body_composition_measurement weight_measurement
  weight_scale_feature user_control_point magnetic_flux_density_2D magnetic_flux_density_3D language
  barometric_pressure_trend bond_management_control_point bond_management_feature
  gap.central_address_resolution_support cgm_measurement cgm_feature cgm_status cgm_session_start_time
  cgm_session_run_time cgm_specific_ops_control_point indoor_positioning_configuration latitude longitude
  local_north_coordinate local_east_coordinate.xml floor_number altitude uncertainty location_name uri http_headers
  http_status_code http_entity_body http_control_point https_security tds_control_point ots_feature object_name
  object_type object_size object_first_created object_last_modified object_id object_properties
  object_action_control_point object_list_control_point object_list_filter object_changed
  resolvable_private_address_only 2ACC fitness_machine_feature treadmill_data cross_trainer_data step_climber_data
  stair_climber_data rower_data indoor_bike_data training_status supported_speed_range supported_inclination_range
  supported_resistance_level_range supported_heart_rate_range supported_power_range fitness_machine_control_point
  fitness_machine_status 2AED date_utc
`);

const DESCRIPTORS = numbered(`
  2900 gatt.characteristic_extended_properties gatt.characteristic_user_description
  gatt.client_characteristic_configuration gatt.server_characteristic_configuration
  gatt.characteristic_presentation_format gatt.characteristic_aggregate_format valid_range external_report_reference
  report_reference number_of_digitals value_trigger_setting es_configuration es_measurement es_trigger_setting
  time_trigger_setting
`);

/** A UUID of 4, 8 or 36 characters as a page gets it. */
function fullUUID(text) {
  const uuid = text.toLowerCase();
  return uuid.length === 36 ? uuid : `${uuid.padStart(8, "0")}-0000-1000-8000-00805f9b34fb`;
}

/** The UUID for a name, a number or a UUID in lower case (ResolveUUIDName in the specification). */
function resolve(name, numbers, noun) {
  if (typeof name === "number") return BluetoothUUID.canonicalUUID(name);
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)) return name;
  if (numbers.has(name)) return BluetoothUUID.canonicalUUID(numbers.get(name));
  throw new TypeError(
    `Invalid ${noun} name: '${name}'. It must be a number (0x1234), a UUID in lower case, or a name from the Bluetooth SIG.`,
  );
}

class BluetoothUUID {
  static canonicalUUID(alias) {
    const number = Math.trunc(Number(alias));
    if (!(number >= 0 && number <= 0xffffffff)) throw new TypeError(`'${alias}' is not a number of 32 bits.`);
    return fullUUID(number.toString(16));
  }

  static getService(name) {
    return resolve(name, SERVICES, "service");
  }

  static getCharacteristic(name) {
    return resolve(name, CHARACTERISTICS, "characteristic");
  }

  static getDescriptor(name) {
    return resolve(name, DESCRIPTORS, "descriptor");
  }
}
