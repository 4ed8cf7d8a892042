// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kafka/wire/request_queue.h"

namespace bellwether::kafka::wire {
namespace {

using namespace std::chrono_literals;

const Instant kStart = Instant{} + 1h;

Outstanding due(Instant deadline) {
    Outstanding request;
    request.deadline = deadline;
    return request;
}

std::int32_t writeOne(RequestQueue& queue) {
    const auto item = queue.nextUnwritten();
    item->sentAt = kStart;
    queue.unwrittenIsWritten();
    return item->id;
}

TEST(RequestQueue, AnswersComeInTheOrderOfTheRequests) {
    RequestQueue queue;
    queue.add(due(kStart + 1s));
    queue.add(due(kStart + 1s));
    const auto first = writeOne(queue);
    const auto second = writeOne(queue);
    EXPECT_FALSE(queue.answered(second).has_value()) << "not next in line";
    ASSERT_TRUE(queue.answered(first).has_value());
    const auto answered = queue.answered(second);
    ASSERT_TRUE(answered.has_value());
    EXPECT_TRUE(answered->item);
    EXPECT_TRUE(queue.empty());
    EXPECT_FALSE(queue.answered(second).has_value());
}

TEST(RequestQueue, ALateAnswerIsRecognisedAndDropped) {
    RequestQueue queue;
    queue.add(due(kStart + 1s));
    queue.add(due(kStart + 5s));
    const auto first = writeOne(queue);
    const auto second = writeOne(queue);
    const auto expired = queue.expire(kStart + 1s);
    ASSERT_EQ(expired.size(), 1U);
    EXPECT_TRUE(expired[0].written);
    EXPECT_EQ(queue.earliestDeadline(), kStart + 5s);
    const auto late = queue.answered(first);
    ASSERT_TRUE(late.has_value());
    EXPECT_FALSE(late->item);
    EXPECT_TRUE(queue.answered(second)->item);
}

TEST(RequestQueue, WhatExpiresUnwrittenIsNotWritten) {
    RequestQueue queue;
    queue.add(due(kStart + 1s));
    queue.add(due(kStart + 5s));
    const auto expired = queue.expire(kStart + 2s);
    ASSERT_EQ(expired.size(), 1U);
    EXPECT_FALSE(expired[0].written);
    EXPECT_EQ(queue.nextUnwritten()->deadline, kStart + 5s);
}

TEST(RequestQueue, RewindKeepsOrderAndLeavesOutWhatExpired) {
    RequestQueue queue;
    for (const auto deadline : {1s, 5s, 6s, 7s}) {
        queue.add(due(kStart + deadline));
    }
    writeOne(queue);
    const auto second = writeOne(queue);
    const auto third = writeOne(queue);
    EXPECT_EQ(queue.expire(kStart + 1s).size(), 1U);
    queue.rewind();
    EXPECT_EQ(queue.nextUnwritten()->id, second);
    EXPECT_EQ(queue.nextUnwritten()->sentAt, Instant{}) << "it was not sent on the connection to come";
    EXPECT_EQ(writeOne(queue), second);
    EXPECT_EQ(writeOne(queue), third);
    EXPECT_EQ(queue.drain().size(), 3U);
    EXPECT_TRUE(queue.empty());
    EXPECT_FALSE(queue.nextUnwritten());
    EXPECT_FALSE(queue.earliestDeadline().has_value());
}

} // namespace
} // namespace bellwether::kafka::wire
