#include "PageFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

// Ends the text before, and begins that of a file.
#define FILE(name) , 0}}, {name, (const char[]){

// To add a file to the page: put it into files/, and two lines here. The first entry is empty.
static const struct page_file files[] = {
    {"", (const char[]){0
    FILE("app.js")
#embed "files/app.js"
    FILE("page.html")
#embed "files/page.html"
    FILE("style.css")
#embed "files/style.css"
    , 0}},
};

const struct page_file *const page_files = files + 1;
const int page_file_count = sizeof files / sizeof files[0] - 1;
