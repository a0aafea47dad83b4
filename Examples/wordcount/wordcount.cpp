// wordcount FILE: the ten most frequent words of a file that is read as a stream of lines. A word is
// a run of letters from A to Z, in any bytes. The same program, with the same output, stands beside
// this one in every language that Belay is bound to.
#include <algorithm>
#include <belay/belay.hpp>
#include <cctype>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace belay::operators;

// The words of a line, in small letters.
static belay::signal<std::string> words_of(std::string_view line) {
  std::vector<std::string> words(1);
  for (unsigned char c : line)
    if (std::isalpha(c)) words.back() += static_cast<char>(std::tolower(c));
    else if (!words.back().empty()) words.emplace_back();
  if (words.back().empty()) words.pop_back();
  return belay::from(words);
}

static void report(const std::map<std::string, int> &counts) {
  std::vector<std::pair<std::string, int>> all(counts.begin(), counts.end());
  std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  int words = 0;
  for (const auto &[word, count] : all) words += count;
  std::printf("%d words, %zu different\n", words, all.size());
  for (std::size_t i = 0; i < all.size() && i < 10; i++)
    std::printf("%5d %s\n", all[i].second, all[i].first.c_str());
}

int main(int argc, char **argv) {
  belay::loop loop;
  std::map<std::string, int> counts;
  int status = 0;
  auto words = belay::file_lines(loop, argc > 1 ? argv[1] : "") | concat_map(words_of);
  words.subscribe([&](const std::string &word) { counts[word]++; },
                  [&](const belay::error &error) {
                    std::fprintf(stderr, "wordcount: %s\n", error.what());
                    status = 1;
                  },
                  [&] { report(counts); });
  loop.run();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
  std::fputs("wordcount: the output could not be written\n", stderr);
  return 1;
}
