// Whether the program at the other end of a connection still takes new ones.
#pragma once

namespace helix::net {

// True when the peer of this connected socket is on this machine and refuses a new connection: it is going
// down, or is gone while another process holds the connection open. False where that cannot be told (another
// machine, a full backlog). Opens one connection and closes it at once; waits 100 ms at most.
bool ListenerRefuses(int connected_fd);

}  // namespace helix::net
