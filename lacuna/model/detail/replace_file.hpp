// model/detail/replace_file.hpp -- an open file without a name takes the place of one that is there. Linux has no call
// for it: the file gets a name of its own first, and what ends the process between the two calls leaves that name
// behind. So another process makes them: one of a few instructions on the same memory, in a group of its own, which a
// signal to this one does not reach. It does not outlive them.
#pragma once

namespace lacuna::detail {

/// Links `descriptor`'s file to `name`, which must be new, and renames that to `target`. 0, or what is wrong; nothing
/// is left of `name` then.
int replace_file(int descriptor, const char* name, const char* target);

}  // namespace lacuna::detail
