/* BENEATH_A_SANITIZER, for AddressSanitizer and ThreadSanitizer, of gcc and of clang, and
   BENEATH_THREAD_SANITIZER for the latter alone. */
#ifndef SANITIZER_H
#define SANITIZER_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BENEATH_A_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define BENEATH_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BENEATH_A_SANITIZER 1
#endif
#ifdef __SANITIZE_THREAD__
#define BENEATH_THREAD_SANITIZER 1
#endif

#endif
