#include "PageFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

// Ends the text before, and begins that of a file.
#define FILE(name) , 0}}, {name, (const char[]){

// A script of several files, in a scope of its own.
#define BEGIN '(', '(', ')', '=', '>', '{', '\n',
#define END , '}', ')', '(', ')', ';', '\n'

// To add a file to the page: put it into files/, and two lines here. The first entry is empty.
static const struct page_file files[] = {
    {"", (const char[]){0
    FILE("ad-structures.js")
#embed "files/ad-structures.js"
    FILE("advertisement.js")
#embed "files/advertisement.js"
    FILE("announce.js")
#embed "files/announce.js"
    FILE("app.js")
#embed "files/app.js"
    FILE("assigned-names.js")
#embed "files/assigned-names.js"
    FILE("attributes.js")
#embed "files/attributes.js"
    FILE("card.js")
#embed "files/card.js"
    FILE("central.js")
#embed "files/central.js"
    FILE("characteristics.js")
#embed "files/characteristics.js"
    FILE("colors.js")
#embed "files/colors.js"
    FILE("confirm.js")
#embed "files/confirm.js"
    FILE("controls.js")
#embed "files/controls.js"
    FILE("device-header.js")
#embed "files/device-header.js"
    FILE("device.css")
#embed "files/device.css"
    FILE("device.js")
#embed "files/device.js"
    FILE("devices.js")
#embed "files/devices.js"
    FILE("dom.js")
#embed "files/dom.js"
    FILE("event-words.js")
#embed "files/event-words.js"
    FILE("expectations.js")
#embed "files/expectations.js"
    FILE("face-drawing.js")
#embed "files/face-drawing.js"
    FILE("face-frame.js")
#embed "files/face-frame.js"
    FILE("face-style.js")
#embed "files/face-style.js"
    FILE("face-template.js")
#embed "files/face-template.js"
    FILE("face.js")
#embed "files/face.js"
    FILE("faults.js")
#embed "files/faults.js"
    FILE("favicon.svg")
#embed "files/favicon.svg"
    FILE("format.js")
#embed "files/format.js"
    FILE("hexdump.js")
#embed "files/hexdump.js"
    FILE("highlight.js")
#embed "files/highlight.js"
    FILE("history.js")
#embed "files/history.js"
    FILE("icons.js")
#embed "files/icons.js"
    FILE("keys.js")
#embed "files/keys.js"
    FILE("link.js")
#embed "files/link.js"
    FILE("message-fields.js")
#embed "files/message-fields.js"
    FILE("page.html")
#embed "files/page.html"
    FILE("panel.js")
#embed "files/panel.js"
    FILE("plain-face.js")
#embed "files/plain-face.js"
    FILE("plot.js")
#embed "files/plot.js"
    FILE("presenter.css")
#embed "files/presenter.css"
    FILE("presenter.js")
#embed "files/presenter.js"
    FILE("problem-note.js")
#embed "files/problem-note.js"
    FILE("rates.js")
#embed "files/rates.js"
    FILE("running.js")
#embed "files/running.js"
    FILE("send.js")
#embed "files/send.js"
    FILE("stand.css")
#embed "files/stand.css"
    FILE("stand.js")
#embed "files/stand.js"
    FILE("style.css")
#embed "files/style.css"
    FILE("theme.js")
#embed "files/theme.js"
    FILE("timing.js")
#embed "files/timing.js"
    FILE("token.js")
#embed "files/token.js"
    FILE("traffic-filter.js")
#embed "files/traffic-filter.js"
    FILE("traffic-list.js")
#embed "files/traffic-list.js"
    FILE("traffic-log.js")
#embed "files/traffic-log.js"
    FILE("traffic-row.js")
#embed "files/traffic-row.js"
    FILE("traffic-tools.js")
#embed "files/traffic-tools.js"
    FILE("traffic.css")
#embed "files/traffic.css"
    FILE("traffic.js")
#embed "files/traffic.js"
    FILE("transcript.js")
#embed "files/transcript.js"
    FILE("value-row.js")
#embed "files/value-row.js"
    FILE("values-asked.js")
#embed "files/values-asked.js"
    FILE("values.js")
#embed "files/values.js"
    FILE("watched.js")
#embed "files/watched.js"
    FILE("written.js")
#embed "files/written.js"
    FILE("web-bluetooth.js") BEGIN
#embed "web-bluetooth/settings.js"
    ,
#embed "web-bluetooth/uuids.js"
    ,
#embed "web-bluetooth/blocklist.js"
    ,
#embed "web-bluetooth/filters.js"
    ,
#embed "web-bluetooth/peripheral.js"
    ,
#embed "web-bluetooth/connection.js"
    ,
#embed "web-bluetooth/attributes.js"
    ,
#embed "web-bluetooth/device.js"
    ,
#embed "web-bluetooth/chooser.js"
    ,
#embed "web-bluetooth/bluetooth.js"
    END
    , 0}},
};

const struct page_file *const page_files = files + 1;
const int page_file_count = sizeof files / sizeof files[0] - 1;
