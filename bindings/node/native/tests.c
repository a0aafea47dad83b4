/* Marble tests and drawings. */
#include "internal.h"

/* marbles_expect_subscriptions(test, source, diagram, diagram or undefined, …): up to six. */
napi_value bn_marbles_expect_subscriptions(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  const char *diagrams[BN_ROOMS];
  size_t count = 0;
  while (count < BN_ROOMS && bn_is_given(&call, count + 2)) {
    diagrams[count] = bn_text(&call, count + 2);
    count++;
  }
  int code = belay_marbles_expect_subscriptions(bn_marbles(&call, 0), bn_signal(&call, 1),
                                                diagrams, count);
  return bn_end(&call, bn_code(&call, code));
}

/* drawing_written(drawing, as SVG) -> text */
napi_value bn_drawing_written(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_drawing *drawing = bn_drawing(&call, 0);
  size_t (*write)(belay_drawing *, char *, size_t) =
      bn_int(&call, 1) ? belay_drawing_svg : belay_drawing_text;
  size_t size = write(drawing, NULL, 0) + 1;
  char *text = calloc(1, size);
  write(drawing, text, size);
  napi_value made = bn_said(&call, text);
  free(text);
  return bn_end(&call, made);
}
