# Sets NODE_INCLUDE_DIR, where it is not set, to where Node's headers are; to nothing without them.
if [ -z "${NODE_INCLUDE_DIR:-}" ]; then
  prefix=$("${NODE:-node}" -p 'require("path").resolve(process.execPath, "../..")')
  for NODE_INCLUDE_DIR in "$prefix/include/node" /usr/include/node /usr/include/nodejs/src ""; do
    [ ! -e "$NODE_INCLUDE_DIR/node_api.h" ] || break
  done
fi
