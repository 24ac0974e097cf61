// SPDX-License-Identifier: Apache-2.0
//===- Etcd.cpp - a client of etcd ----------------------------------------===//
//
// A member that does not answer, or that has lost the majority, is left for the
// next one in the list. gRPC could choose among several addresses, but would
// stay with a member that is cut off from the others.
//
//===----------------------------------------------------------------------===//

#include "runtime/membership/Etcd.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Status.h"
#include "runtime/membership/etcd.grpc.pb.h"
#include "runtime/protocol/Service.h"

using namespace ps::runtime;
namespace pb = etcdserverpb;

Etcd::Etcd(std::vector<std::string> given, absl::Duration timeout,
           const Certificates &certificates)
    : endpoints(std::move(given)), timeout(timeout) {
  quietGrpc();
  for (const std::string &endpoint : endpoints) {
    grpc::ChannelArguments args;
    args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    args.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    args.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
    args.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 500);
    channels.push_back(grpc::CreateCustomChannel(
        endpoint, makeChannelCredentials(certificates), args));
  }
}

Etcd::Channel Etcd::current(size_t &index) {
  MutexLock lock(mutex);
  index = chosen;
  return channels[index];
}

/// Unless another call has done so.
void Etcd::leave(size_t index) {
  MutexLock lock(mutex);
  if (chosen == index)
    chosen = (index + 1) % channels.size();
}

/// Whether another member may do better.
static bool isOfMember(const grpc::Status &status) {
  return status.error_code() == grpc::StatusCode::UNAVAILABLE ||
         status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED ||
         status.error_code() == grpc::StatusCode::CANCELLED ||
         status.error_code() == grpc::StatusCode::UNKNOWN;
}

absl::Status Etcd::call(absl::Duration limit, Call body) {
  std::string cause;
  for (size_t tries = 0; tries != channels.size(); ++tries) {
    size_t index;
    const Channel channel = current(index);
    grpc::ClientContext context;
    context.set_deadline(deadlineAfter(limit));
    if (!running.add(context))
      return linkFailure(absl::StatusCode::kUnavailable, "disconnected");
    const grpc::Status status = body(channel, context);
    running.remove(context);
    if (status.ok())
      return absl::OkStatus();
    cause = printable(status.error_message());
    if (!isOfMember(status))
      return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                          absl::StrCat("etcd: ", cause));
    leave(index);
  }
  return linkFailure(absl::StatusCode::kUnavailable,
                     absl::StrCat("no majority of etcd answers at ",
                                  absl::StrJoin(endpoints, ", "), ": ", cause));
}

/// The first key after all that begin with `prefix`.
static std::string endOf(std::string prefix) {
  ++prefix.back();
  return prefix;
}

absl::StatusOr<EtcdSnapshot> Etcd::read(const std::string &prefix) {
  pb::RangeRequest request;
  request.set_key(prefix);
  request.set_range_end(endOf(prefix));
  pb::RangeResponse response;
  RETURN_IF_ERROR(
      call(timeout, [&](const Channel &channel, grpc::ClientContext &context) {
        return pb::KV::NewStub(channel)->Range(&context, request, &response);
      }));
  EtcdSnapshot snapshot;
  snapshot.revision = response.header().revision();
  for (const pb::KeyValue &entry : response.kvs())
    snapshot.values.push_back(
        {entry.key(), entry.value(), entry.mod_revision()});
  return snapshot;
}

absl::StatusOr<bool> Etcd::replace(const std::string &key, int64_t revision,
                                   const std::vector<Put> &puts) {
  pb::TxnRequest request;
  pb::Compare &compare = *request.add_compare();
  compare.set_target(pb::Compare::MOD);
  compare.set_key(key);
  compare.set_mod_revision(revision);
  for (const Put &put : puts) {
    pb::PutRequest &made = *request.add_success()->mutable_request_put();
    made.set_key(put.key);
    made.set_value(put.value);
    made.set_lease(put.lease);
  }
  pb::TxnResponse response;
  RETURN_IF_ERROR(
      call(timeout, [&](const Channel &channel, grpc::ClientContext &context) {
        return pb::KV::NewStub(channel)->Txn(&context, request, &response);
      }));
  return response.succeeded();
}

absl::StatusOr<int64_t> Etcd::grantLease(absl::Duration ttl) {
  pb::LeaseGrantRequest request;
  request.set_ttl(std::max<int64_t>(1, absl::ToInt64Seconds(ttl)));
  pb::LeaseGrantResponse response;
  RETURN_IF_ERROR(
      call(timeout, [&](const Channel &channel, grpc::ClientContext &context) {
        return pb::Lease::NewStub(channel)->LeaseGrant(&context, request,
                                                       &response);
      }));
  return response.id();
}

absl::StatusOr<bool> Etcd::keepAlive(int64_t lease) {
  pb::LeaseKeepAliveRequest request;
  request.set_id(lease);
  pb::LeaseKeepAliveResponse response;
  RETURN_IF_ERROR(call(timeout, [&](const Channel &channel,
                                    grpc::ClientContext &context) {
    const auto stream = pb::Lease::NewStub(channel)->LeaseKeepAlive(&context);
    const bool isAnswered = stream->Write(request) && stream->Read(&response);
    stream->WritesDone();
    if (isAnswered)
      context.TryCancel(); // etcd ends the stream only with the lease.
    const grpc::Status status = stream->Finish();
    return isAnswered ? grpc::Status::OK : status;
  }));
  return response.ttl() > 0;
}

absl::Status Etcd::awaitChange(const std::string &prefix, int64_t revision,
                               absl::Duration limit) {
  pb::WatchRequest request;
  pb::WatchCreateRequest &create = *request.mutable_create_request();
  create.set_key(prefix);
  create.set_range_end(endOf(prefix));
  create.set_start_revision(revision + 1);
  return call(limit, [&](const Channel &channel, grpc::ClientContext &context) {
    const auto stream = pb::Watch::NewStub(channel)->Watch(&context);
    pb::WatchResponse response;
    bool isOpen = stream->Write(request);
    while (isOpen && response.events().empty() && !response.canceled())
      isOpen = stream->Read(&response);
    if (isOpen)
      context.TryCancel();
    const grpc::Status status = stream->Finish();
    // Time that has passed without a change is no failure of the member.
    return isOpen || status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED
               ? grpc::Status::OK
               : status;
  });
}
