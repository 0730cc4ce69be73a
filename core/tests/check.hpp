#pragma once

// The whole test framework of the core: named cases that register themselves, checks that report and go on,
// and a main() that runs every case. One test file is one program.
//
//     #include "check.hpp"
//
//     CASE("a midpoint never leaves its interval") {
//         CHECK(midpoint(1.0, 2.0) == 1.5);
//         CHECK_EQUAL(midpoint(1.0, 1.0), 1.0);
//         CHECK_THROWS(midpoint(2.0, 1.0), std::invalid_argument);
//     }
//
// A program takes parts of case names as arguments and then runs only the cases that contain one of them. It
// fails when a check fails, when a case throws, and when there was nothing to check.

#include <cstddef>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace trial {

struct Case {
    std::string name;
    void (*body)();
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

struct Tally {
    std::size_t checks = 0;
    std::size_t failures = 0;
};

inline Tally& tally() {
    static Tally one;
    return one;
}

struct Register {
    Register(const char* name, void (*body)()) { cases().push_back({name, body}); }
};

inline void fail(const char* file, int line, const std::string& what) {
    ++tally().failures;
    std::cerr << file << ":" << line << ": failed: " << what << "\n";
}

inline void report(bool holds, const char* file, int line, const char* what) {
    ++tally().checks;
    if (!holds) fail(file, line, what);
}

template <class T>
std::string show(const T& value) {
    if constexpr (requires(std::ostream& out) { out << value; }) {
        std::ostringstream out;
        out.precision(17);
        out << std::boolalpha << value;
        return out.str();
    } else if constexpr (requires { value.begin(); }) {
        std::string text = "{";
        for (const auto& item : value) text += (text.size() > 1 ? ", " : "") + show(item);
        return text + "}";
    } else {
        return "(a value without text)";
    }
}

template <class A, class B>
void equal(const A& actual, const B& expected, const char* file, int line, const char* text) {
    ++tally().checks;
    if (!(actual == expected)) fail(file, line, std::string(text) + ": " + show(actual) + " is not " + show(expected));
}

template <class Failure, class Call>
void throws(Call call, const char* file, int line, const char* text) {
    ++tally().checks;
    try {
        call();
    } catch (const Failure&) {
        return;
    } catch (const std::exception& other) {
        fail(file, line, std::string(text) + " threw something else: " + other.what());
        return;
    }
    fail(file, line, std::string(text) + " threw nothing");
}

inline int run(int argc, char** argv) {
    std::size_t ran = 0;
    for (const Case& one : cases()) {
        bool chosen = argc <= 1;
        for (int i = 1; i < argc; ++i) chosen |= one.name.find(argv[i]) != std::string::npos;
        if (!chosen) continue;
        ++ran;
        const std::size_t before = tally().failures;
        try {
            one.body();
        } catch (const std::exception& error) {
            fail(one.name.c_str(), 0, std::string("the case threw: ") + error.what());
        }
        std::cout << (tally().failures == before ? "ok      " : "FAILED  ") << one.name << std::endl;
    }
    std::cout << ran << " cases, " << tally().checks << " checks, " << tally().failures << " failures" << std::endl;
    return tally().failures == 0 && tally().checks > 0 ? 0 : 1;
}

}  // namespace trial

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)

#define CASE(name)                                                                                   \
    static void CHECK_JOIN(case_, __LINE__)();                                                       \
    static const trial::Register CHECK_JOIN(register_, __LINE__)(name, CHECK_JOIN(case_, __LINE__)); \
    static void CHECK_JOIN(case_, __LINE__)()

#define CHECK(...) trial::report(static_cast<bool>(__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)
#define CHECK_EQUAL(actual, expected) trial::equal((actual), (expected), __FILE__, __LINE__, #actual)
#define CHECK_THROWS(expression, Failure) \
    trial::throws<Failure>([&] { static_cast<void>(expression); }, __FILE__, __LINE__, #expression)

// Each test program is one file, so this header may hold its main().
int main(int argc, char** argv) {
    return trial::run(argc, argv);
}
