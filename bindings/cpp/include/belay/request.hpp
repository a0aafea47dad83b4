// Requests: sources of questions that their listeners answer. See request.h.
#ifndef BELAY_REQUEST_HPP
#define BELAY_REQUEST_HPP

#include <belay/request.h>
#include <belay/signal.hpp>
#include <utility>

namespace belay {

// A source of questions that its listeners answer. Their answers are accumulated. Copies are the
// same request; with the last its listeners end.
template <class Question, class Answer>
class request : public detail::handle<request<Question, Answer>, belay_request,
                                      belay_request_retain, belay_request_release> {
 public:
  // `accumulate(result, answer)` makes the next result; the first one is `initial`.
  template <class A, class F>
  request(A &&initial, F accumulate)
      : request::handle(
            detail::made(create(value::adopt(detail::give_as<Answer>(std::forward<A>(initial))),
                                std::move(accumulate)))) {}
  explicit request(typename request::empty) noexcept {}

  // Has `answer(question)` answer each question, at the request's home. Any thread. The result ends
  // it; dropping it does not.
  template <class F>
  disposable subscribe(F answer) const {
    void *const ctx = detail::context(std::move(answer));
    belay_disposable *made = nullptr;
    detail::check(belay_request_subscribe(this->get(), &detail::call_state<F, Question, Answer>,
                                          ctx, &detail::destroy<F>, &made));
    return disposable::adopt(made);
  }
  // Asks every listener, and returns what was made of the answers. At home only. Throws the first
  // exception of a listener; no other listener is asked then.
  template <class Q = Question>
  Answer send(Q &&question) const {
    belay_value raw = belay_null();
    const int code = belay_request_send(
        this->get(), detail::give_as<Question>(std::forward<Q>(question)), &raw);
    if (code < 0) error::last(code).raise();
    return value::adopt(raw).template as<Answer>();
  }

 private:
  template <class F>
  static belay_request *create(value initial, F accumulate) {
    void *const ctx = detail::context(std::move(accumulate));
    return belay_request_create(initial.release(), &detail::call_scan<F, Answer, Answer>, ctx,
                                &detail::destroy<F>);
  }
};

}  // namespace belay

#endif
