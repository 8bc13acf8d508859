#include "PageFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

#define BEGIN(name) {name, (const char[]){
#define END , 0}},

// To add a file to the page: put it into files/, and three lines here.
static const struct page_file files[] = {
    BEGIN("ad-structures.js")
#embed "files/ad-structures.js"
    END
    BEGIN("advertisement.js")
#embed "files/advertisement.js"
    END
    BEGIN("announce.js")
#embed "files/announce.js"
    END
    BEGIN("app.js")
#embed "files/app.js"
    END
    BEGIN("assigned-names.js")
#embed "files/assigned-names.js"
    END
    BEGIN("attributes.js")
#embed "files/attributes.js"
    END
    BEGIN("card.js")
#embed "files/card.js"
    END
    BEGIN("central.js")
#embed "files/central.js"
    END
    BEGIN("characteristics.js")
#embed "files/characteristics.js"
    END
    BEGIN("colors.js")
#embed "files/colors.js"
    END
    BEGIN("confirm.js")
#embed "files/confirm.js"
    END
    BEGIN("controls.js")
#embed "files/controls.js"
    END
    BEGIN("device-header.js")
#embed "files/device-header.js"
    END
    BEGIN("device.css")
#embed "files/device.css"
    END
    BEGIN("device.js")
#embed "files/device.js"
    END
    BEGIN("devices.js")
#embed "files/devices.js"
    END
    BEGIN("dom.js")
#embed "files/dom.js"
    END
    BEGIN("event-words.js")
#embed "files/event-words.js"
    END
    BEGIN("expectations.js")
#embed "files/expectations.js"
    END
    BEGIN("face-drawing.js")
#embed "files/face-drawing.js"
    END
    BEGIN("face-frame.js")
#embed "files/face-frame.js"
    END
    BEGIN("face-style.js")
#embed "files/face-style.js"
    END
    BEGIN("face-template.js")
#embed "files/face-template.js"
    END
    BEGIN("face.js")
#embed "files/face.js"
    END
    BEGIN("faults.js")
#embed "files/faults.js"
    END
    BEGIN("favicon.svg")
#embed "files/favicon.svg"
    END
    BEGIN("format.js")
#embed "files/format.js"
    END
    BEGIN("hexdump.js")
#embed "files/hexdump.js"
    END
    BEGIN("highlight.js")
#embed "files/highlight.js"
    END
    BEGIN("history.js")
#embed "files/history.js"
    END
    BEGIN("icons.js")
#embed "files/icons.js"
    END
    BEGIN("keys.js")
#embed "files/keys.js"
    END
    BEGIN("link.js")
#embed "files/link.js"
    END
    BEGIN("message-fields.js")
#embed "files/message-fields.js"
    END
    BEGIN("page.html")
#embed "files/page.html"
    END
    BEGIN("panel.js")
#embed "files/panel.js"
    END
    BEGIN("plain-face.js")
#embed "files/plain-face.js"
    END
    BEGIN("plot.js")
#embed "files/plot.js"
    END
    BEGIN("presenter.css")
#embed "files/presenter.css"
    END
    BEGIN("presenter.js")
#embed "files/presenter.js"
    END
    BEGIN("problem-note.js")
#embed "files/problem-note.js"
    END
    BEGIN("rates.js")
#embed "files/rates.js"
    END
    BEGIN("running.js")
#embed "files/running.js"
    END
    BEGIN("send.js")
#embed "files/send.js"
    END
    BEGIN("stand.css")
#embed "files/stand.css"
    END
    BEGIN("stand.js")
#embed "files/stand.js"
    END
    BEGIN("style.css")
#embed "files/style.css"
    END
    BEGIN("theme.js")
#embed "files/theme.js"
    END
    BEGIN("timing.js")
#embed "files/timing.js"
    END
    BEGIN("traffic-filter.js")
#embed "files/traffic-filter.js"
    END
    BEGIN("traffic-list.js")
#embed "files/traffic-list.js"
    END
    BEGIN("traffic-log.js")
#embed "files/traffic-log.js"
    END
    BEGIN("traffic-row.js")
#embed "files/traffic-row.js"
    END
    BEGIN("traffic-tools.js")
#embed "files/traffic-tools.js"
    END
    BEGIN("traffic.css")
#embed "files/traffic.css"
    END
    BEGIN("traffic.js")
#embed "files/traffic.js"
    END
    BEGIN("transcript.js")
#embed "files/transcript.js"
    END
    BEGIN("value-row.js")
#embed "files/value-row.js"
    END
    BEGIN("values-asked.js")
#embed "files/values-asked.js"
    END
    BEGIN("values.js")
#embed "files/values.js"
    END
    BEGIN("watched.js")
#embed "files/watched.js"
    END
    {"", ""},
};

const struct page_file *const page_files = files;
