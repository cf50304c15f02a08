/* Nothing: what is wanted of this file is what it is linked with (src/meson.build). */
