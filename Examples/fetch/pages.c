#include "pages.h"

#include <stdio.h>
#include <string.h>

#define OK "HTTP/1.1 200 OK\r\nConnection: close\r\n"

/* 250 characters. */
#define FIFTY "12345678901234567890123456789012345678901234567890"
#define LONG FIFTY FIFTY FIFTY FIFTY FIFTY

static const page pages[] = {
    {"/quick", AT_ONCE, OK "Content-Type: text/plain\r\nContent-Length: 50\r\n\r\n" PAGE_TEXT},
    {"/slow", SLOWLY, OK "Transfer-Encoding: chunked\r\n\r\n"},
    {"/held", NEVER, OK "Transfer-Encoding: chunked\r\n\r\n6\r\nbelay \r\n"},
    {"/drip", BYTE_BY_BYTE,
     "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
     "HTTP/1.0 200\r\nX-Empty:\r\ntransfer-encoding: \t Chunked \r\n\r\n"
     "3\r\nin \r\n00A ; x=y\r\nmany steps\r\n1\n\n\n0\r\nTrailer: none\r\n\r\n"},
    {"/trickle", BYTE_BY_BYTE, OK "X-Long: " LONG LONG LONG LONG "\r\n\r\nat last\n"},
    {"/close", AT_ONCE, OK "\r\nwithout a length\n"},
    {"/empty", AT_ONCE, "HTTP/1.1 204 No Content\r\n\r\n"},
    {"/cut", AT_ONCE, OK "Content-Length: 100\r\n\r\nand that was all\n"},
    {"/noise", AT_ONCE, "220 mail.example.org is ready\r\n"},
    {"/flaky", AT_THE_THIRD_TIME, OK "Content-Length: 8\r\n\r\nat last\n"}};

static const page missing = {
    NULL, AT_ONCE, "HTTP/1.1 404 Not Found\r\nContent-Length: 14\r\n\r\nno such thing\n"};

const char *const chunks[CHUNKS] = {"belay ",       "is a rope ",   "made fast, ",
                                    "and a thing ", "called off\n", ""};

const page *find_page(const char *request) {
  char path[64] = "";
  sscanf(request, "GET %63s HTTP/1.1\r\n", path);
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
    if (strcmp(pages[i].path, path) == 0) return &pages[i];
  return &missing;
}
