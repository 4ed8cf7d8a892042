// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/message_codec.h"

namespace bellwether::kafka::wire {
namespace {

constexpr std::uint32_t kSupportedFeaturesTag = 0;
constexpr std::uint32_t kFinalizedEpochTag = 1;
constexpr std::uint32_t kFinalizedFeaturesTag = 2;

template<typename Io>
void fields(Io& io, ApiVersionsRequest& m, std::int16_t version) {
    if (version >= 3) {
        io.string("ClientSoftwareName", m.softwareName);
        io.string("ClientSoftwareVersion", m.softwareVersion);
        io.tagged();
    }
}

template<typename Io>
void supportedFeatures(Io& io, ApiVersionsResponse& m) {
    io.array("SupportedFeatures", m.supportedFeatures,
             [](Io& each, ApiVersionsResponse::SupportedFeature& f) {
                 each.string("SupportedFeatures.Name", f.name);
                 each.i16("SupportedFeatures.MinVersion", f.minVersion);
                 each.i16("SupportedFeatures.MaxVersion", f.maxVersion);
                 each.tagged();
             });
}

template<typename Io>
void finalizedFeatures(Io& io, ApiVersionsResponse& m) {
    io.array("FinalizedFeatures", m.finalizedFeatures,
             [](Io& each, ApiVersionsResponse::FinalizedFeature& f) {
                 each.string("FinalizedFeatures.Name", f.name);
                 each.i16("FinalizedFeatures.MaxVersionLevel", f.maxVersionLevel);
                 each.i16("FinalizedFeatures.MinVersionLevel", f.minVersionLevel);
                 each.tagged();
             });
}

template<typename Io>
void fields(Io& io, ApiVersionsResponse& m, std::int16_t version) {
    io.i16("ErrorCode", m.errorCode);
    io.array("ApiKeys", m.apis, [](Io& each, ApiVersionsResponse::Api& api) {
        each.i16("ApiKeys.ApiKey", api.key);
        each.i16("ApiKeys.MinVersion", api.versions.min);
        each.i16("ApiKeys.MaxVersion", api.versions.max);
        each.tagged();
    });
    if (version >= 1) {
        io.i32("ThrottleTimeMs", m.throttleTimeMs);
    }
    if (version < 3) {
        return;
    }
    if constexpr (Io::kReads) {
        io.tagged([&](Reader& inner, std::uint32_t tag) {
            switch (tag) {
            case kSupportedFeaturesTag: supportedFeatures(inner, m); return true;
            case kFinalizedEpochTag:
                inner.i64("FinalizedFeaturesEpoch", m.finalizedFeaturesEpoch);
                return true;
            case kFinalizedFeaturesTag: finalizedFeatures(inner, m); return true;
            default: return false;
            }
        });
    } else {
        // A field at its default is left out, as Kafka does.
        const bool hasEpoch = m.finalizedFeaturesEpoch != -1;
        io.beginTagged((m.supportedFeatures.empty() ? 0U : 1U) + (hasEpoch ? 1U : 0U) +
                       (m.finalizedFeatures.empty() ? 0U : 1U));
        if (!m.supportedFeatures.empty()) {
            io.taggedField(kSupportedFeaturesTag, [&](Writer& inner) { supportedFeatures(inner, m); });
        }
        if (hasEpoch) {
            io.taggedField(kFinalizedEpochTag,
                           [&](Writer& inner) { inner.i64({}, m.finalizedFeaturesEpoch); });
        }
        if (!m.finalizedFeatures.empty()) {
            io.taggedField(kFinalizedFeaturesTag, [&](Writer& inner) { finalizedFeatures(inner, m); });
        }
    }
}

} // namespace

std::optional<VersionRange> ApiVersionsResponse::versionsOf(ApiKey api) const noexcept {
    for (const auto& each : apis) {
        if (each.key == static_cast<std::int16_t>(api)) {
            return each.versions;
        }
    }
    return std::nullopt;
}

BELLWETHER_WIRE_MESSAGE(ApiVersionsRequest)
BELLWETHER_WIRE_MESSAGE(ApiVersionsResponse)

} // namespace bellwether::kafka::wire
