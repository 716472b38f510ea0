#include "lacuna/compute/mpi/session.hpp"

#include <algorithm>
#include <thread>

#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::mpi {
namespace {

constexpr Index the_end = -1;

// A process has one session in its life, and what was made in it may outlive it.
bool ended = false;

// Stopping as it is on a thread of which nobody has asked it: an operation that has begun on all ranks is gone through
// with.
const SharedStopping& unstopped() {
  static const SharedStopping none = [] {
    std::optional<SharedStopping> made;
    std::thread([&] { made.emplace(); }).join();
    return *made;
  }();
  return none;
}

struct Call {
  Index operation, bytes;
};

}  // namespace

Result Session::run(Operation operation, const std::vector<char>& arguments) {
  const ThreadScope one(1);
  Reader reader(arguments);
  return operation(*this, reader);
}

Result Session::call(Operation operation, const Writer& arguments) const {
  if (operation != drop_gram && operation != drop_factor && operation != drop_features) check_stop();
  const SharedStopping::Here going_on(unstopped());
  const auto& all = operations();
  Call call{std::find(all.begin(), all.end(), operation) - all.begin(), Index(arguments.bytes().size())};
  std::vector<char> bytes = arguments.bytes();
  team_.broadcast(&call, sizeof call);
  team_.broadcast(bytes.data(), bytes.size());
  try {
    return const_cast<Session*>(this)->run(operation, bytes);
  } catch (const Refused& refused) {
    throw Error(refused.kind, refused.message);
  } catch (const std::bad_alloc&) {
    team_.abort("there is not enough memory");
  } catch (const std::exception& error) {
    team_.abort(error.what());
  }
}

void Session::serve() {
  for (;;) {
    try {
      Call call{};
      team_.broadcast(&call, sizeof call);
      if (call.operation == the_end) return;
      std::vector<char> bytes(static_cast<std::size_t>(call.bytes));
      team_.broadcast(bytes.data(), bytes.size());
      run(operations().at(std::size_t(call.operation)), bytes);
    } catch (const Refused&) {
      continue;  // rank 0 says it
    } catch (const std::bad_alloc&) {
      team_.abort("there is not enough memory");
    } catch (const std::exception& error) {
      team_.abort(error.what());
    }
  }
}

void Session::drop(const Session& session, Operation operation, Index number) noexcept {
  if (!ended) session.call(operation, Writer() << number);
}

void Session::end() const {
  ended = true;
  Call call{the_end, 0};
  team_.broadcast(&call, sizeof call);
}

}  // namespace lacuna::compute::mpi
