// SPDX-License-Identifier: Apache-2.0
#include "report/case_file.h"

#include <charconv>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "report/json_node.h"
#include "report/kafka_error.h"

namespace bellwether {

namespace {

using report::Complaint;
using report::JsonNode;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t kMostPartitions = 1'000'000;

/// The library keeps the last of two equal names without a word; which of two answers counts is not ours to
/// guess. A pass of its own over the text: the library's callback parser looks through a whole array at each
/// of its elements.
class DuplicateNames final : public nlohmann::json_sax<nlohmann::json> {
public:
    bool start_object(std::size_t /*elements*/) override {
        open_.emplace_back();
        return true;
    }

    bool end_object() override {
        open_.pop_back();
        return true;
    }

    bool key(string_t& name) override {
        if (!open_.back().insert(name).second) {
            found_ = name;
        }
        return !found_;
    }

    bool null() override { return true; }

    bool boolean(bool /*value*/) override { return true; }

    bool number_integer(number_integer_t /*value*/) override { return true; }

    bool number_unsigned(number_unsigned_t /*value*/) override { return true; }

    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }

    bool string(string_t& /*value*/) override { return true; }

    bool binary(binary_t& /*value*/) override { return true; }

    bool start_array(std::size_t /*elements*/) override { return true; }

    bool end_array() override { return true; }

    /// The parse before this pass has told of it.
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::json::exception& /*error*/) override {
        return false;
    }

    [[nodiscard]] const std::optional<std::string>& found() const noexcept { return found_; }

private:
    std::vector<std::set<std::string>> open_;
    std::optional<std::string> found_;
};

std::optional<std::int64_t> optionalInt64(const JsonNode& node) {
    return node.given() ? std::optional(node.int64()) : std::nullopt;
}

std::optional<FencingToken> optionalToken(const JsonNode& node) {
    if (!node.given()) {
        return std::nullopt;
    }
    const auto token = FencingToken::parse(node.text());
    if (!token || token->isNone()) {
        node.complain("producerId:producerEpoch, both 0 or more");
        return std::nullopt;
    }
    return *token;
}

LeaseTiming readTiming(const JsonNode& node) {
    LeaseTiming timing;
    if (!node.given()) {
        return timing;
    }
    const auto read = [&node](std::string_view name, Millis& field) {
        if (const auto value = node.at(name); value.given()) {
            field = Millis{value.int64()};
        }
    };
    read("leaseDurationMs", timing.duration);
    read("renewIntervalMs", timing.renewInterval);
    read("challengeStaggerMs", timing.challengeStagger);
    if (const auto legal = validate(timing); !legal) {
        node.complain("a legal timing (" + legal.error().what + ")");
    }
    return timing;
}

/// A partition's number as the name of a member; complains when it is none of the topic's.
std::int32_t partitionNamed(const std::string& name, const JsonNode& node, std::int32_t partitions) {
    std::int32_t number = -1;
    const auto* end = name.data() + name.size();
    const auto [parsedTo, error] = std::from_chars(name.data(), end, number);
    if (error != std::errc{} || parsedTo != end || number < 0 || number >= partitions ||
        std::to_string(number) != name) {
        node.complain(fmt::format("a partition from 0 to {} as the name", partitions - 1));
    }
    return number;
}

void readLog(const JsonNode& node, CaseFile& file) {
    for (const auto& [name, bounds] : node.members()) {
        CaseFile::LogBounds read;
        read.lastStableOffset = bounds.at("lastStableOffset").integer(0, kMost);
        read.highWatermark = bounds.at("highWatermark").integer(0, kMost);
        if (read.lastStableOffset > read.highWatermark) {
            bounds.complain("a lastStableOffset that is not above the highWatermark");
        }
        file.log[partitionNamed(name, bounds, file.partitions)] = read;
    }
}

CaseFile::Status readStatus(const JsonNode& node) {
    const auto name = node.text();
    if (name == "committed") {
        return CaseFile::Status::committed;
    }
    if (name == "open") {
        return CaseFile::Status::open;
    }
    if (name == "aborted") {
        return CaseFile::Status::aborted;
    }
    if (name != "undecided") {
        node.complain("committed, open, aborted or undecided");
    }
    return CaseFile::Status::undecided;
}

TimestampType readTimestampType(const JsonNode& node) {
    if (!node.given()) {
        return TimestampType::unknown;
    }
    const auto name = node.text();
    if (name == "CreateTime") {
        return TimestampType::createTime;
    }
    if (name != "LogAppendTime") {
        node.complain("CreateTime or LogAppendTime");
    }
    return TimestampType::logAppendTime;
}

void readRecords(const JsonNode& node, CaseFile& file) {
    std::set<std::pair<std::int32_t, std::int64_t>> places;
    for (const auto& element : node.elements()) {
        CaseFile::Record record;
        const auto partition = element.at("partition");
        record.position.partition = static_cast<std::int32_t>(partition.integer(0, file.partitions - 1));
        record.position.offset = element.at("offset").integer(0, kMost);
        if (const auto timestamp = element.at("timestamp"); timestamp.given()) {
            record.position.timestamp = wallTime(timestamp.int64());
        }
        record.position.timestampType = readTimestampType(element.at("timestampType"));
        record.key = element.at("key").hexOrNull();
        record.value = element.at("value").hexOrNull();
        record.status = readStatus(element.at("status"));
        record.producer = optionalToken(element.at("producer"));
        if (!file.log.contains(record.position.partition)) {
            partition.complain("a partition whose bounds stand under log");
        }
        if (!places.emplace(record.position.partition, record.position.offset).second) {
            element.at("offset").complain("an offset of its own in the partition");
        }
        file.records.push_back(std::move(record));
    }
}

CoordinatorAnswer readAnswer(const std::string& role, const JsonNode& node, WallTime now) {
    constexpr auto kMostCode = std::numeric_limits<std::int16_t>::max();
    constexpr int kTransactionalIdNotFound = 105; // KIP-664
    CoordinatorAnswer answer;
    if (!node.missing() && !node.given()) {
        return answer;
    }
    const auto asOf = optionalInt64(node.at("asOf"));
    answer.asOf = asOf ? wallTime(*asOf) : now;
    if (const auto error = node.at("error"); error.given()) {
        const auto code = static_cast<int>(error.integer(-1, kMostCode));
        if (code == 0) {
            error.complain("an error code of Kafka's, which is not 0");
        }
        if (code == kTransactionalIdNotFound) {
            answer.kind = CoordinatorAnswer::Kind::unknownId;
        } else {
            answer.kind = CoordinatorAnswer::Kind::failed;
            answer.error = report::refusalOf(code, "role " + displayText(role));
        }
        return answer;
    }
    answer.kind = CoordinatorAnswer::Kind::described;
    answer.state = transactionStateFromName(node.at("state").text());
    const auto epoch = node.at("producerEpoch");
    answer.token.producerId = node.at("producerId").integer(-1, kMost);
    answer.token.producerEpoch = static_cast<std::int16_t>(epoch.integer(-1, kMostCode));
    if ((answer.token.producerId < 0) != (answer.token.producerEpoch < 0)) {
        epoch.complain("an epoch that is -1 exactly when the producerId is");
    }
    if (const auto start = optionalInt64(node.at("transactionStartTimeMs"))) {
        answer.transactionStart = wallTime(*start);
    }
    if (const auto timeout = node.at("transactionTimeoutMs"); timeout.given()) {
        answer.transactionTimeout = Millis{timeout.integer(0, kMost)};
    }
    return answer;
}

void readCoordinator(const JsonNode& node, CaseFile& file) {
    for (const auto& [name, answer] : node.members()) {
        if (const auto problem = nameProblem(name); !problem.empty()) {
            answer.complain(fmt::format("a role's name (this one is {})", problem));
        }
        file.coordinator.emplace(name, readAnswer(name, answer, file.now));
    }
}

void readProducers(const JsonNode& node, CaseFile& file) {
    for (const auto& [name, rows] : node.members()) {
        auto& producers = file.producers[partitionNamed(name, rows, file.partitions)];
        for (const auto& row : rows.elements()) {
            PartitionProducer producer;
            const auto token = row.at("producer");
            if (!token.given()) {
                token.complain("producerId:producerEpoch");
            }
            producer.producer = optionalToken(token).value_or(FencingToken::none());
            if (const auto since = row.at("openSince"); since.given()) {
                producer.openSince = since.integer(0, kMost);
            }
            if (const auto last = optionalInt64(row.at("lastTimestamp"))) {
                producer.lastTimestamp = wallTime(*last);
            }
            producers.push_back(producer);
        }
    }
}

CaseFile readDocument(const JsonNode& root) {
    CaseFile file;
    const auto optionalText = [&root](std::string_view name, std::string& field) {
        if (const auto node = root.at(name); node.given()) {
            field = node.text();
        }
    };
    optionalText("id", file.id);
    optionalText("title", file.title);
    optionalText("topic", file.topic);
    file.partitions = static_cast<std::int32_t>(root.at("partitions").integer(1, kMostPartitions));
    file.timing = readTiming(root.at("timing"));
    file.now = wallTime(root.at("now").int64());
    readLog(root.at("log"), file);
    readRecords(root.at("records"), file);
    readCoordinator(root.at("coordinator"), file);
    if (const auto producers = root.at("producers"); producers.given()) {
        readProducers(producers, file);
    }
    return file;
}

} // namespace

Result<CaseFile> parseCaseFile(std::string_view json, std::string_view nameForErrors) {
    Complaint complaint{std::string(nameForErrors), std::nullopt};
    DuplicateNames names;
    nlohmann::json document;
    try {
        document = nlohmann::json::parse(json);
        nlohmann::json::sax_parse(json, &names);
    } catch (const nlohmann::json::exception& exception) {
        return fail(ErrorCode::invalidArgument, displayText(std::string("not JSON: ") + exception.what()),
                    complaint.document, "docs/capture-format.md describes the form");
    }
    if (names.found()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("the name \"{}\" stands twice in one object", displayText(*names.found())),
                    complaint.document, "keep one of the two");
    }
    auto file = readDocument(JsonNode(&document, {}, complaint));
    if (complaint.error) {
        return fail(std::move(*complaint.error));
    }
    return file;
}

Result<CaseFile> loadCaseFile(const std::filesystem::path& path) {
    const auto name = displayText(path.string());
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        return fail(ErrorCode::invalidArgument, "the file cannot be opened", name,
                    "check the name and the right to read it");
    }
    std::ostringstream content; // reads a folder as nothing, where an iterator over the buffer throws
    content << stream.rdbuf();
    const auto json = content.str();
    if (stream.bad() || json.empty()) {
        return fail(ErrorCode::invalidArgument, "the file is empty or cannot be read", name,
                    "give a file in the form of docs/capture-format.md");
    }
    return parseCaseFile(json, name);
}

} // namespace bellwether
