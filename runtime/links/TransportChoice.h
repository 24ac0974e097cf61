// SPDX-License-Identifier: Apache-2.0
//===- TransportChoice.h - how processes exchange their calls -------------===//

#ifndef PS_RUNTIME_LINKS_TRANSPORTCHOICE_H
#define PS_RUNTIME_LINKS_TRANSPORTCHOICE_H

namespace ps::runtime {

enum class TransportChoice {
  Auto, ///< through shared memory where both are on one host, else TCP
  Tcp,
  Grpc
};

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_TRANSPORTCHOICE_H
