// The preset files as they stand in Presets/, put into the program by the compiler (C23 §6.10.4, `#embed`). Swift has
// no such thing: an array literal of their bytes takes half a minute to compile.
#include "shoal_presets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char files[] = {
#embed "Presets/airplane-mode.shoal"
, 0,
#embed "Presets/bad-night.shoal"
, 0,
#embed "Presets/busy-store.shoal"
, 0,
#embed "Presets/captive-portal.shoal"
, 0,
#embed "Presets/complete-twice-forgotten.shoal"
, 0,
#embed "Presets/complete-twice.shoal"
, 0,
#embed "Presets/cut-head.shoal"
, 0,
#embed "Presets/double-tap.shoal"
, 0,
#embed "Presets/early-no.shoal"
, 0,
#embed "Presets/elevator.shoal"
, 0,
#embed "Presets/expired-link.shoal"
, 0,
#embed "Presets/flipped-bit.shoal"
, 0,
#embed "Presets/full-disk.shoal"
, 0,
#embed "Presets/ghost-upload.shoal"
, 0,
#embed "Presets/half-a-photo.shoal"
, 0,
#embed "Presets/late-twin.shoal"
, 0,
#embed "Presets/link-expires-in-tunnel.shoal"
, 0,
#embed "Presets/lost-answer-reused.shoal"
, 0,
#embed "Presets/lost-answer.shoal"
, 0,
#embed "Presets/lying-200.shoal"
, 0,
#embed "Presets/one-bar.shoal"
, 0,
#embed "Presets/silent-store.shoal"
, 0,
#embed "Presets/slow-disk.shoal"
, 0,
#embed "Presets/slow-mirror.shoal"
, 0,
#embed "Presets/stale-keepalive.shoal"
, 0,
#embed "Presets/store-hiccup.shoal"
, 0,
#embed "Presets/store-restarts.shoal"
, 0,
#embed "Presets/train-ride.shoal"
, 0,
#embed "Presets/tunnel-before-send.shoal"
, 0,
#embed "Presets/tunnel-mid-upload.shoal"
, 0,
#embed "Presets/twin-of-lost-answer.shoal"
, 0,
#embed "Presets/upload-timeout.shoal"
, 0,
#embed "Presets/wifi-to-cellular.shoal"
, 0,
#embed "Presets/wrong-clock-phone.shoal"
, 0,
#embed "Presets/wrong-size.shoal"
, 0,
#embed "Presets/wrong-type.shoal"
, 0,
};

const char *shoal_presets(size_t *byte_count) {
    *byte_count = sizeof files;
    return files;
}
