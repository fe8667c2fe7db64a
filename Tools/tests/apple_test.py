"""What an app of Apple's needs compiles, as far as that can be told without Apple's system.

The engine is checked for a phone; containers and keys on Linux, for no CryptoKit is here for a phone."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from wasm_test import FLAGS, RELEASE, ROOT, TOOLCHAIN

TARGETS = ("arm64-apple-ios18.0", "arm64-apple-none-macho")
MODULES = TOOLCHAIN.parent / "lib/swift/embedded/Swift.swiftmodule"


@unittest.skipUnless(MODULES.exists(), "this toolchain has no Embedded Swift")
class AppleTests(unittest.TestCase):
    def package(self):
        """The name by which the modules that were built know that they are of one package: that of the folder."""
        plan = (RELEASE.parent / "release.yaml").read_text()
        return re.search(r'"-module-name","STOLTrust".*?"-package-name","(\w+)"', plan)[1]

    def test_the_engine_is_checked_for_apple(self):
        engine = sorted(path for path in (ROOT / "Sources/STOLPack").rglob("*.swift") if path.parent.name != "File")
        flags = [flag for flag in FLAGS if flag not in ("-target", "wasm32-unknown-none-wasm", "-Osize")]
        for target in TARGETS:
            done = subprocess.run([shutil.which("swiftc"), "-target", target, *flags, "-typecheck", "-module-name",
                                   "STOLPack", *engine], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            self.assertNotIn("error:", done.stderr)

    @unittest.skipUnless((RELEASE / "Modules/Crypto.swiftmodule").exists(), "swift-crypto has not been built")
    def test_containers_are_checked_with_cryptokit_and_without_libsodium(self):
        """As Apple's compiler would take it, but for the system, which is Linux, and for CryptoKit: swift-crypto."""
        settings = ["-swift-version", "6", "-package-name", self.package(), "-strict-memory-safety", "-warnings-as-errors",
                    "-enable-experimental-feature", "Lifetimes", "-enable-upcoming-feature", "ExistentialAny",
                    "-enable-upcoming-feature", "InternalImportsByDefault",
                    "-enable-upcoming-feature", "MemberImportVisibility"]
        maps = [*RELEASE.glob("CCrypto*.build/module.modulemap"), *RELEASE.glob("C*XKCP*.build/module.modulemap"),
                *RELEASE.parent.glob("checkouts/swift-crypto/Sources/C*/include/module.modulemap"),
                *(ROOT / f"Sources/{name}/module.modulemap" for name in ("CSQLite", "CZlib")),
                RELEASE / "CDefaultDatabase.build/module.modulemap"]
        with tempfile.TemporaryDirectory() as folder:
            base = [shutil.which("swiftc"), "-I", folder, "-I", RELEASE / "Modules",
                    *(part for path in maps for part in ("-Xcc", f"-fmodule-map-file={path}"))]
            shim = pathlib.Path(folder) / "Shim.swift"
            shim.write_text("@_exported import Crypto\n")
            made = subprocess.run([*base, "-emit-module", "-emit-module-path", folder + "/CryptoKit.swiftmodule",
                                   "-module-name", "CryptoKit", shim], capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr[-2000:])
            command = [*base, *settings, "-module-name", "STOLTrust", "-typecheck",
                       *sorted((ROOT / "Sources/STOLTrust").rglob("*.swift"))]
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            # The check can fail: without CryptoKit the same files ask for libsodium.
            (pathlib.Path(folder) / "CryptoKit.swiftmodule").unlink()
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertIn("no such module 'CSodium'", done.stderr)


if __name__ == "__main__":
    unittest.main()
