/* What the server has to say, and how it says it:
 *
 *   /quick    at once, with its length
 *   /slow     in chunks, one after the other; the last one when nobody is held any more
 *   /held     the head and a chunk, and then nothing, ever
 *   /drip     byte by byte, with all that a response can have around its body
 *   /trickle  byte by byte, a head of more than a thousand
 *   /close    without a length: it ends with the connection
 *   /empty    204, which has no body
 *   /cut      a part of what was promised
 *   /noise    something else than HTTP
 *   /flaky    nothing, twice; then an answer
 *   others    404
 */
#ifndef FETCH_PAGES_H
#define FETCH_PAGES_H

/* The text of /quick and /slow. */
#define PAGE_TEXT "belay is a rope made fast, and a thing called off\n"

typedef enum manner { AT_ONCE, SLOWLY, NEVER, BYTE_BY_BYTE, AT_THE_THIRD_TIME } manner;

typedef struct page {
  const char *path;
  manner manner;
  const char *opening; /* the whole answer, except for /slow and /held */
} page;

/* The chunks of /slow; the empty one is the last. */
#define CHUNKS 6
extern const char *const chunks[CHUNKS];

/* The page that the first line of `request` asks for; never NULL. */
const page *find_page(const char *request);

#endif
