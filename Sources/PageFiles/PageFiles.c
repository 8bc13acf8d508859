#include "PageFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

#define BEGIN(name) {name, (const char[]){
#define END , 0}},

// To add a file to the page: put it into files/, and three lines here.
static const struct page_file files[] = {
    BEGIN("page.html")
#embed "files/page.html"
    END
    BEGIN("style.css")
#embed "files/style.css"
    END
    BEGIN("app.js")
#embed "files/app.js"
    END
    {"", ""},
};

const struct page_file *const page_files = files;
