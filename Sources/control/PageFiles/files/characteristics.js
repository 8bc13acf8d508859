// Finds characteristics of a device.

const SERVICE_CHANGED = "2A05";

/** The ids of those with one of these properties. Service Changed, which few people want, is last. */
export function characteristicsWith(services, ...properties) {
  const all = services.flatMap((service) => service.characteristics);
  const found = all.filter((it) => it.properties.some((name) => properties.includes(name)));
  const isLast = ({ uuid }) => Number(uuid === SERVICE_CHANGED);
  return [...new Set(found.toSorted((a, b) => isLast(a) - isLast(b)).map(({ id }) => id))];
}
