// Errors, which error events carry and calls throw.
//
// A call that fails throws an error. A callback that throws ends its subscription with an error
// event. The event carries the exception, and C++ throws it again where it waits
// (signal.wait_first(), co_await).
#ifndef BELAY_ERROR_HPP
#define BELAY_ERROR_HPP

#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include <belay/creating.h>
#include <belay/error.h>
#include <belay/signal.h>
#include <belay/type_name.hpp>
#include <belay/value.hpp>

namespace belay {

// An error: a code, a domain, a message, perhaps a value and a cause. Copies share it. Any thread.
class error : public std::exception {
 public:
  // An error of your own. `code` is negative; any other code becomes BELAY_EINVAL. Without a
  // message, it has that of the code.
  explicit error(int code, const std::string &message = {}, belay::value value = {},
                 const error *cause = nullptr, const char *domain = nullptr)
      : handle_(belay_error_create(code, domain, message.empty() ? nullptr : message.c_str(),
                                   value.release(), cause ? cause->handle_ : nullptr)) {}
  error(const error &other) noexcept
      : std::exception(other), handle_(belay_error_retain(other.handle_)) {}
  error &operator=(const error &other) noexcept {
    belay_error *mine = belay_error_retain(other.handle_);
    belay_error_release(handle_);
    handle_ = mine;
    return *this;
  }
  ~error() override { belay_error_release(handle_); }

  // Takes a reference over.
  static error adopt(belay_error *handle) noexcept { return error(handle, nullptr); }
  // Takes its own reference to a borrowed handle.
  static error retain(const belay_error *handle) noexcept {
    return error(belay_error_retain(handle), nullptr);
  }
  // Takes the last failure of this thread; without one, an error of the code `otherwise`.
  static error last(int otherwise = BELAY_EINVAL) {
    const belay_error *failure = belay_last_error();
    return failure ? retain(failure) : error(otherwise);
  }
  // The exception that is being handled, as an error. Any other exception becomes an error of the
  // domain "c++" that carries it. Its code is the errno of a std::system_error, else BELAY_ENOMEM,
  // BELAY_ERANGE or BELAY_EINVAL. Call it only inside a catch block.
  static error current() noexcept;

  int code() const noexcept { return belay_error_code(handle_); }
  // "EINVAL", "ENOENT", …; static.
  const char *name() const noexcept { return belay_error_name(code()); }
  // "belay", "c++", …; lives as long as the error.
  const char *domain() const noexcept { return belay_error_domain(handle_); }
  const char *what() const noexcept override { return belay_error_message(handle_); }
  belay::value value() const noexcept { return belay::value::retain(belay_error_payload(handle_)); }
  std::optional<error> cause() const {
    const belay_error *cause = belay_error_cause(handle_);
    return cause ? std::optional<error>(retain(cause)) : std::nullopt;
  }
  // The exception that it carries; null when it carries none.
  std::exception_ptr exception() const noexcept;
  // Throws the exception that it carries, else itself.
  [[noreturn]] void raise() const {
    if (std::exception_ptr carried = exception()) std::rethrow_exception(carried);
    throw *this;
  }
  // The error, borrowed, for functions of C.
  const belay_error *get() const noexcept { return handle_; }
  // A reference for a function of C that takes one over.
  belay_error *retained() const noexcept { return belay_error_retain(handle_); }

 private:
  error(belay_error *handle, std::nullptr_t) noexcept : handle_(handle) {}
  belay_error *handle_;
};

// The answer of a call that sends: accepted, or the reason of the refusal. It may be ignored.
class status {
 public:
  explicit status(int code) noexcept : code_(code) {
    // The status tells it. The thread need not keep it as its last failure.
    if (code < 0) belay_last_error();
  }
  // Whether the event was accepted: it has been delivered, or is queued.
  explicit operator bool() const noexcept { return code_ >= 0; }
  // Whether the event is delivered later: after the event in progress, or on another thread.
  bool queued() const noexcept { return code_ == BELAY_QUEUED; }
  // 0, BELAY_QUEUED, or a failure.
  int code() const noexcept { return code_; }
  // Throws a failure.
  void check() const {
    if (code_ < 0) throw error(code_);
  }

 private:
  int code_;
};

// Sets the hook for unhandled errors of the process; see belay_on_unhandled_error().
// `hook` is called with the error, the signal's name, and the place of the subscription or null.
template <class F>
void on_unhandled_error(F hook);
// Puts the default back, which prints a line to stderr.
inline void on_unhandled_error(std::nullptr_t) {
  belay_on_unhandled_error(nullptr, nullptr, nullptr);
}

namespace detail {

// Throws the failure of a call that answers with a code.
inline int check(int code) {
  if (code < 0) throw error::last(code);
  return code;
}

// Throws the failure of a call that answers with a handle.
template <class Handle>
Handle *made(Handle *handle) {
  if (!handle) throw error::last();
  return handle;
}

// Reports an exception after which no event can follow. The C API reports only errors of
// subscriptions, so a signal that fails at once is subscribed to without an `error`.
inline void report(const error &unhandled, const char *site) noexcept {
  belay_signal *failing = belay_signal_error(unhandled.get());
  belay_signal_set_name(failing, "callback");
  belay_observer observer = {};
  observer.size = sizeof observer;
  observer.site = site;
  belay_signal_subscribe(failing, &observer, nullptr);
  belay_signal_release(failing);
}

}  // namespace detail

inline error error::current() noexcept {
  int code = BELAY_EINVAL;
  // Of the exception, which is being handled. (No std::string: C++20 compiles its members anew.)
  const char *message = nullptr;
  try {
    throw;
  } catch (const error &own) {
    return own;
  } catch (const std::system_error &failure) {
    const std::error_condition condition = failure.code().default_error_condition();
    if (condition.category() == std::generic_category() && condition.value() > 0)
      code = -condition.value();
    message = failure.what();
  } catch (const std::bad_alloc &failure) {
    code = BELAY_ENOMEM;
    message = failure.what();
  } catch (const std::out_of_range &failure) {
    code = BELAY_ERANGE;
    message = failure.what();
  } catch (const std::range_error &failure) {
    code = BELAY_ERANGE;
    message = failure.what();
  } catch (const std::exception &failure) {
    message = failure.what();
  } catch (...) {
    message = "an exception that is no std::exception";
  }
  auto *carried = new std::exception_ptr(std::current_exception());
  return error(code, message,
               belay::value::adopt(belay_pointer_typed(
                   detail::box_name<std::exception_ptr>(), carried,
                   [](void *held) { delete static_cast<std::exception_ptr *>(held); })),
               nullptr, "c++");
}

inline std::exception_ptr error::exception() const noexcept {
  const belay_value value = belay_error_payload(handle_);
  void *carried = nullptr;
  if (belay_value_kind(value) != BELAY_KIND_POINTER) return nullptr;
  if (belay_value_try_typed(value, detail::box_name<std::exception_ptr>(), &carried) < 0)
    return nullptr;
  return *static_cast<std::exception_ptr *>(carried);
}

}  // namespace belay

#endif
