# Sourced by ./run and ./test: installs what is missing and builds.

say() { printf 'limber: %s\n' "$*" >&2; }

# The packages of the given kinds ("build", "test"), from scripts/packages.
packages_of() {
  local kind
  for kind in "$@"; do awk -v kind="$kind" '$1 == kind { print $2 }' scripts/packages; done
}

is_debian_like() {
  [ -r /etc/os-release ] && grep -qE '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release
}

missing_of() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null | grep -q 'install ok installed' || echo "$package"
  done
}

# Another installation may be under way, as on a machine that has just been set up: wait for it.
apt_get() {
  local as_root=""
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@" >/dev/null
}

install_packages() {
  local packages missing
  packages=$(packages_of "$@")
  if ! is_debian_like; then
    say "this system is neither Debian nor Ubuntu; please install what these packages hold and build with CMake:"
    printf '  %s\n' $packages >&2
    exit 1
  fi
  missing=$(missing_of $packages)
  [ -n "$missing" ] || return 0
  say "installing:" $missing
  apt_get update
  apt_get install -y --no-install-recommends $missing
}

install_test_packages() {
  install_packages test
  install_npm
}

# Debian's nodejs brings no npm; other distributions of it do.
install_npm() {
  command -v npm >/dev/null && return 0
  say "installing: npm"
  apt_get install -y --no-install-recommends npm
}

# configure_tests PRESET: ./run leaves the tests out where GoogleTest was missing then, and limber-modes-mpi
# where PETSc was; a preset that has changed, and packages that have come, count from scratch.
configure_tests() {
  local cache=build/$1/CMakeCache.txt
  if [ "$cache" -nt CMakePresets.json ] && [ "$cache" -nt /var/lib/dpkg/status ] &&
    grep -q '^LIMBER_TESTS:BOOL=ON' "$cache"; then return 0; fi
  configure "$1" -DLIMBER_TESTS=ON
}

configure() {
  local preset=$1
  shift
  mkdir -p "build/$preset"
  cmake --fresh --preset "$preset" -DLIMBER_UNITY=ON "$@" >"build/$preset/configure.log" 2>&1 || {
    cat "build/$preset/configure.log" >&2
    say "CMake failed; the log is build/$preset/configure.log"
    exit 1
  }
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  [ -f "build/$preset/build.ninja" ] || configure "$preset"
  cmake --build --preset "$preset" ${1:+--target "$@"} >"build/$preset/build.log" 2>&1 || {
    cat "build/$preset/build.log" >&2
    say "the build failed; the log is build/$preset/build.log"
    exit 1
  }
}

# install_node_modules FOLDER: what the package.json of a folder asks for.
install_node_modules() {
  (
    cd "$1"
    if [ ! -d node_modules ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
      say "installing what $1 needs from npm"
      npm ci --no-audit --no-fund --loglevel error >/dev/null
    fi
  )
}

# web_tests FOLDER: the tests of a folder with a package.json.
web_tests() {
  install_node_modules "$1"
  (cd "$1" && npm test --silent)
}
