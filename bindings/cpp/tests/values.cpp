// A value gives back its content, and nothing else.
#include <memory>
#include <optional>

#include "support/check.hpp"

using belay::value;
using namespace std::chrono_literals;

namespace {

enum class colour : short { red = -1, green = 7 };
struct point {
  int x;
  short y;
};
struct wide {
  double a, b, c;
};
struct no_default {
  explicit no_default(int n) : number(n) {}
  int number;
  int more[5] = {1, 2, 3, 4, 5};
};
struct left {
  int n;
};

}  // namespace

// For C: the name that it has there.
template <>
struct belay::type_name<wide> {
  static constexpr const char *value = "struct wide";
};

template <class T>
static T there_and_back(T item) {
  return value(std::move(item)).template as<T>();
}

CASE(scalars) {
  const std::size_t before = belay::live_count(BELAY_LIVE_VALUES);
  CHECK_EQUAL(there_and_back(true), true);
  CHECK_EQUAL(there_and_back(std::int8_t{-128}), std::int8_t{-128});
  CHECK_EQUAL(there_and_back(std::uint8_t{255}), std::uint8_t{255});
  CHECK_EQUAL(there_and_back('c'), 'c');
  CHECK_EQUAL(there_and_back(short{-3}), short{-3});
  CHECK_EQUAL(there_and_back(-7), -7);
  CHECK_EQUAL(there_and_back(7u), 7u);
  CHECK_EQUAL(there_and_back(INT64_MIN), INT64_MIN);
  CHECK_EQUAL(there_and_back(UINT64_MAX), UINT64_MAX);
  CHECK_EQUAL(there_and_back(-8LL), -8LL);
  CHECK_EQUAL(there_and_back(8ULL), 8ULL);
  CHECK_EQUAL(there_and_back(1.5f), 1.5f);
  CHECK_EQUAL(there_and_back(-0.1), -0.1);
  CHECK(there_and_back(colour::red) == colour::red);
  CHECK(there_and_back(&before) == &before);
  CHECK(there_and_back<void *>(nullptr) == nullptr);
  CHECK(there_and_back(std::chrono::milliseconds(5)) == 5ms);
  CHECK(there_and_back(belay::seconds(0.25)) == 250ms);
  CHECK(there_and_back(belay::unit()) == belay::unit());
  CHECK_EQUAL(there_and_back(point{3, 4}).y, 4);
  // Not one of them is allocated.
  const value kept[] = {value(1), value(2.5), value(colour::green), value(point{1, 2}),
                        value(&before)};
  CHECK_EQUAL(belay::live_count(BELAY_LIVE_VALUES), before);
  CHECK_EQUAL(kept[0].kind_name(), std::string("int32"));
}

CASE(kinds_are_those_of_c) {
  CHECK_EQUAL(value(1).kind(), BELAY_KIND_INT32);
  CHECK_EQUAL(value(1L).kind(), BELAY_KIND_INT64);
  CHECK_EQUAL(value(colour::red).kind(), BELAY_KIND_INT16);
  CHECK_EQUAL(value("text").kind(), BELAY_KIND_STRING);
  CHECK_EQUAL(value(std::string("text")).kind(), BELAY_KIND_STRING);
  CHECK_EQUAL(value(std::string_view("text")).kind(), BELAY_KIND_STRING);
  CHECK_EQUAL(value(nullptr).kind(), BELAY_KIND_NULL);
  CHECK_EQUAL(value().kind(), BELAY_KIND_NULL);
  CHECK_EQUAL(value(wide{1, 2, 3}).kind(), BELAY_KIND_STRUCT);
  CHECK_EQUAL(value(std::make_pair(1, 2)).kind(), BELAY_KIND_ARRAY);
  CHECK_EQUAL(value(std::vector<int>{1}).kind(), BELAY_KIND_POINTER);
  CHECK_EQUAL(value(belay::error(BELAY_ENOENT)).kind(), BELAY_KIND_ERROR);
  CHECK_EQUAL(value(belay::just(1)).kind(), BELAY_KIND_SIGNAL);
}

CASE(text) {
  CHECK_EQUAL(there_and_back(std::string("größer")), "größer");
  CHECK_EQUAL(there_and_back(std::string()), "");
  const char *nothing = nullptr;
  CHECK_EQUAL(value(nothing).kind(), BELAY_KIND_NULL);
  int refused = 0;
  belay::just(nothing).subscribe(belay::observe([](const std::string &) { CHECK(false); })
                                     .on_error([&](const belay::error &failure) {
                                       refused = failure.code();
                                     }));
  CHECK_EQUAL(refused, BELAY_EKIND);
  CHECK_EQUAL(there_and_back(std::string("a\0b", 3)), std::string("a\0b", 3));
  // A text that is not UTF-8 goes as bytes.
  const value bytes(std::string("\xff\xfe"));
  CHECK_EQUAL(bytes.kind(), BELAY_KIND_BYTES);
  CHECK_EQUAL(bytes.as<std::string>(), "\xff\xfe");
  CHECK(belay_last_error() == nullptr);
}

CASE(views_and_literals_become_texts_wherever_they_are) {
  // Too long to be kept in a std::string itself.
  const std::string text = "a text that no string keeps in itself";
  int heard = 0;
  belay::just(text)
      .map([](std::string_view word) { return std::pair(word, word.size()); })
      .subscribe([&](const std::pair<std::string_view, std::size_t> &both) {
        heard += both.first == text && both.second == text.size();
      });
  belay::just(text)
      .map([](std::string_view word) { return std::optional(word); })
      .subscribe([&](std::optional<std::string_view> word) { heard += word == text; });
  belay::just(text)
      .map([](std::string_view word) { return std::tuple(1, std::optional(word)); })
      .subscribe([&](const std::tuple<int, std::optional<std::string>> &both) {
        heard += std::get<1>(both) == text;
      });
  belay::just(std::pair("abc", 1)).subscribe([&](const std::pair<std::string, int> &both) {
    heard += both.first == "abc";
  });
  CHECK_EQUAL(heard, 4);
  // The value outlives the view.
  const value kept(text);
  CHECK(kept.as<std::string_view>() == text);
  CHECK(kept.as<std::optional<std::string>>() == text);
}

CASE(numbers_convert_where_nothing_is_lost) {
  CHECK_EQUAL(value(7).as<std::int64_t>(), 7);
  CHECK_EQUAL(value(7ULL).as<signed char>(), 7);
  CHECK_EQUAL(value(7).as<double>(), 7.0);
  CHECK_EQUAL(value(1.5f).as<double>(), 1.5);
  CHECK_ERROR(value(300).as<std::uint8_t>(), BELAY_ERANGE);
  CHECK_ERROR(value(-1).as<unsigned>(), BELAY_ERANGE);
  CHECK_ERROR(value(INT64_MAX).as<int>(), BELAY_ERANGE);
  CHECK_ERROR(value(1.5).as<int>(), BELAY_EKIND);
  CHECK(belay_last_error() == nullptr);
}

CASE(structs) {
  const wide w = there_and_back(wide{1, 2, 3});
  CHECK_EQUAL(w.c, 3.0);
  CHECK_EQUAL(there_and_back(no_default(9)).number, 9);
  // They are C's under their name.
  wide read{};
  const value made(w);
  CHECK_EQUAL(BELAY_VALUE_GET_STRUCT(made.get(), struct wide, &read), 0);
  CHECK_EQUAL(read.b, 2.0);
  CHECK_EQUAL(std::string(belay::type_name<std::chrono::hours>::value).empty(), false);
  CHECK_ERROR(made.as<no_default>(), BELAY_EKIND);
}

CASE(objects_are_made_once_and_read_by_reference) {
  {
    const value boxed{check::tracked(5)};
    CHECK_EQUAL(check::tracked::alive.load(), 1);
    CHECK_EQUAL(check::tracked::copies.load(), 0);
    const value again = boxed;
    CHECK_EQUAL(check::tracked::alive.load(), 1);
    CHECK_EQUAL(again.as<check::tracked>().number, 5);
    CHECK_EQUAL(check::tracked::copies.load(), 1);
  }
  CHECK_EQUAL(check::tracked::alive.load(), 0);
  // An object that can only be moved goes in, and is looked at.
  belay::just(std::make_unique<int>(3)).subscribe([](const std::unique_ptr<int> &p) {
    CHECK_EQUAL(*p, 3);
  });
  const auto shared = std::make_shared<int>(4);
  {
    const value holding(shared);
    CHECK_EQUAL(shared.use_count(), 2);
  }
  CHECK_EQUAL(shared.use_count(), 1);
}

CASE(an_object_is_no_other_object) {
  const value text_like(std::vector<int>{1, 2});
  CHECK_ERROR(text_like.as<std::vector<unsigned>>(), BELAY_EKIND);
  CHECK_ERROR(text_like.as<check::tracked>(), BELAY_EKIND);
  CHECK_ERROR(text_like.as<std::string>(), BELAY_EKIND);
  CHECK_ERROR(text_like.as<int>(), BELAY_EKIND);
  CHECK(!text_like.is<std::string>());
  CHECK(text_like.is<std::vector<int>>());
  // Nor is a pointer of somebody else's.
  int number = 0;
  CHECK_ERROR(value(&number).as<std::vector<int>>(), BELAY_EKIND);
  CHECK_ERROR(value::adopt(belay_pointer_owned(&number, nullptr)).as<std::vector<int>>(),
              BELAY_EKIND);
  CHECK(belay_last_error() == nullptr);
}

CASE(wrong_kinds) {
  CHECK_ERROR(value("text").as<int>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<bool>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<double>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<float>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<int *>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<belay::unit>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<point>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<wide>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<belay::error>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<belay::signal<int>>(), BELAY_EKIND);
  CHECK_ERROR((value("text").as<std::pair<int, int>>()), BELAY_EKIND);
  CHECK_ERROR(value("text").as<std::optional<int>>(), BELAY_EKIND);
  CHECK_ERROR(value("text").as<std::vector<int>>(), BELAY_EKIND);
  CHECK_ERROR(value(1).as<std::string>(), BELAY_EKIND);
  CHECK_ERROR(value(1).as<bool>(), BELAY_EKIND);
  CHECK_THROWS(value(1).as<std::string>(), belay::error,
               CHECK(std::strstr(caught.what(), "int32") != nullptr));
}

CASE(several_things) {
  const auto both = there_and_back(std::make_pair(1, std::string("one")));
  CHECK_EQUAL(both.second, "one");
  const auto three = there_and_back(std::make_tuple(1, 2.5, check::tracked(3)));
  CHECK_EQUAL(std::get<2>(three).number, 3);
  CHECK_ERROR((value(std::make_pair(1, 2)).as<std::tuple<int, int, int>>()), BELAY_EKIND);
  CHECK_ERROR((value(std::make_pair(1, 2)).as<std::pair<int, std::string>>()), BELAY_EKIND);
  CHECK(there_and_back(std::optional<int>(3)) == std::optional<int>(3));
  CHECK(there_and_back(std::optional<std::string>()) == std::nullopt);
  CHECK_EQUAL(value(std::optional<int>()).kind(), BELAY_KIND_NULL);
  CHECK_EQUAL(value(std::make_pair(1, 2)).size(), 2u);
  CHECK_EQUAL(value(std::make_pair(1, 2))[1].as<int>(), 2);
  CHECK_ERROR(value(std::make_pair(1, 2))[2], BELAY_ERANGE);
}

CASE(a_vector_reads_arrays) {
  const belay_value items[] = {belay_int32(1), belay_int64(2), belay_uint8(3)};
  const value array = value::adopt(belay_array_of(items, 3));
  CHECK_EQUAL(array.as<std::vector<int>>(), (std::vector<int>{1, 2, 3}));
  CHECK_ERROR(array.as<std::vector<std::string>>(), BELAY_EKIND);
  CHECK_EQUAL(there_and_back(std::vector<bool>{true, false}), (std::vector<bool>{true, false}));
  CHECK_EQUAL(value::adopt(belay_array_of(nullptr, 0)).as<std::vector<int>>().size(), 0u);
}

CASE(equality_and_description) {
  CHECK(value(1) == value(1));
  CHECK(value(1) != value(2));
  CHECK(value("a") == value(std::string("a")));
  CHECK_EQUAL(value(std::make_pair(1, 2)).describe(), "[1, 2]");
  value moved(std::string("gone"));
  const value target = std::move(moved);
  CHECK_EQUAL(moved.kind(), BELAY_KIND_NULL);
  CHECK_EQUAL(target.as<std::string>(), "gone");
}

CASE(errors) {
  const belay::error cause(BELAY_ENOENT, "no file");
  const belay::error failure(BELAY_ERANGE, "too far", value(7), &cause, "maps");
  CHECK_EQUAL(failure.code(), BELAY_ERANGE);
  CHECK_EQUAL(std::string(failure.what()), "too far");
  CHECK_EQUAL(std::string(failure.domain()), "maps");
  CHECK_EQUAL(std::string(failure.name()), "ERANGE");
  CHECK_EQUAL(failure.value().as<int>(), 7);
  CHECK_EQUAL(std::string(failure.cause()->what()), "no file");
  CHECK(!failure.exception());
  belay::error copy(BELAY_EBUSY);
  copy = failure;
  CHECK_EQUAL(there_and_back(copy).code(), BELAY_ERANGE);
  CHECK_EQUAL(belay::error(5).code(), BELAY_EINVAL);
}

CASE(handles_are_values) {
  const belay::owner one;
  CHECK(value(one).as<belay::owner>() == one);
  const belay::disposable action([] {});
  CHECK(value(action).as<belay::disposable>() == action);
  CHECK(value(belay::bag()).is<belay::bag>());
  CHECK(value(belay::weak_owner(one)).is<belay::weak_owner>());
  CHECK(value(belay::scheduler::immediate()).is<belay::scheduler>());
  const belay::loop loop;
  CHECK(value(loop).as<belay::loop>() == loop);
  CHECK_ERROR(value(one).as<belay::disposable>(), BELAY_EKIND);
}
