// Unpacks what zlib packs, and refuses what is damaged; prints how many of
// each.

#include "runtime/core/Image.h"
#include "runtime/core/Inflate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

using llvm::SmallVector;

/// Of few or many different bytes, with repeats of all lengths.
static std::string makeText(std::mt19937 &random, size_t size, int kinds) {
  std::string text;
  while (text.size() < size) {
    size_t distance = text.empty() ? 0 : random() % text.size();
    for (size_t length = random() % 300; length > 0 && distance > 0; --length)
      text += text[text.size() - distance];
    for (size_t length = random() % 30 + 1; length > 0; --length)
      text += static_cast<char>(random() % kinds);
  }
  text.resize(size);
  return text;
}

static bool inflates(llvm::ArrayRef<uint8_t> packed, const std::string &text,
                     size_t size) {
  std::string found(size, '?');
  return rlscan::runtime::inflate(packed.data(), packed.size(), found) &&
         found == text;
}

int main() {
  std::mt19937 random(1);
  int read = 0, refused = 0;
  for (size_t size : {0, 1, 2, 100, 5000, 200000})
    for (int kinds : {1, 3, 60, 256})
      for (int level : {0, 1, 6, 9}) {
        std::string text = makeText(random, size, kinds);
        SmallVector<uint8_t, 0> packed;
        llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(text),
                                          packed, level);
        read += inflates(packed, text, size);
        refused += !inflates(packed, text, size + 1);
        refused += !inflates(
            llvm::ArrayRef<uint8_t>(packed).drop_back(packed.size() / 2), text,
            size);
        packed.push_back(0);
        refused += !inflates(packed, text, size);
        packed.pop_back();
        packed[packed.size() - 1] ^= 1;
        refused += !inflates(packed, text, size);
        std::string stored = rlscan::runtime::packStored(text);
        auto bytes = llvm::arrayRefFromStringRef(stored);
        read += inflates(bytes, text, size);
        refused += !inflates(bytes.drop_back(), text, size);
      }
  llvm::outs() << read << " read, " << refused << " refused\n";
}
