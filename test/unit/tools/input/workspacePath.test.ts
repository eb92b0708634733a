// Paths as models write them. What comes out is a name inside the workspace, or the text that went in, which is refused later.
import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type PathRoots, toWorkspacePath } from "../../../../src/tools/input/workspacePath.ts";
import { randomCases } from "../../../runner/cases.ts";

const one: PathRoots = {
  folders: [{ name: "app", paths: ["/home/me/app", "/mnt/disk/app"] }],
  isWindows: false,
};
const two: PathRoots = {
  folders: [
    { name: "app", paths: ["/home/me/app"] },
    { name: "inner", paths: ["/home/me/app/packages/inner"] },
    { name: "far", paths: [] },
  ],
  isWindows: false,
};
const windows: PathRoots = { folders: [{ name: "app", paths: ["C:\\Work\\App"] }], isWindows: true };

test("absolute paths, URIs and dots inside the workspace are read as the relative path", () => {
  for (const [given, roots, path] of [
    ["src/a.ts", one, "src/a.ts"],
    ["./src/../lib//a.ts", one, "lib/a.ts"],
    [".", one, ""],
    ["/home/me/app", one, ""],
    ["/home/me/app/", one, ""],
    ["/home/me/app/src/a.ts", one, "src/a.ts"],
    ["/home/me/app/src/../a b.ts", one, "a b.ts"],
    ["/mnt/disk/app/src/a.ts", one, "src/a.ts"],
    ["file:///home/me/app/a%20b.ts", one, "a b.ts"],
    ["file://localhost/home/me/app/a.ts", one, "a.ts"],
    ["/home/me/app/src/**/*.ts", one, "src/**/*.ts"],
    ["/home/me/app/src/a.ts", two, "app/src/a.ts"],
    ["/home/me/app/packages/inner/x.ts", two, "inner/x.ts"],
    ["/home/me/app", two, "app"],
    ["C:\\Work\\App\\src\\a.ts", windows, "src/a.ts"],
    ["c:/work/app/src/a.ts", windows, "src/a.ts"],
    ["/c/Work/App/src/a.ts", windows, "src/a.ts"],
    ["file:///c%3A/Work/App/src/a.ts", windows, "src/a.ts"],
    ["src\\a.ts", windows, "src/a.ts"],
  ] as const)
    assert.equal(toWorkspacePath(given, roots), path, given);
});

test("what is outside, or not certain, stays as it was written", () => {
  const twins = { ...two, folders: [...two.folders, { name: "app", paths: ["/srv/app"] }] };
  for (const [given, roots] of [
    ["../x", one],
    ["src/../../x", one],
    ["/etc/passwd", one],
    ["/home/me/app/../secret", one],
    ["/home/me/application/x", one],
    ["/HOME/me/app/x", one],
    ["file://server/home/me/app/x", one],
    ["file:///home/me/app/%ZZ", one],
    ["file:///home/me/app/x?y", one],
    ["https://example.com//a/../b", one],
    ["untitled:Untitled-1", one],
    ["src\\a.ts", one],
    ["C:\\Work\\App\\a.ts", one],
    ["D:\\Work\\App\\a.ts", windows],
    ["C:\\Work\\App\\..\\x", windows],
    ["/srv/app/x", twins],
  ] as const)
    assert.equal(toWorkspacePath(given, roots), given);
});

test("no path leaves the workspace that would have been refused before", () => {
  const part = fc.constantFrom("..", ".", "", "src", "a.ts", "home", "me", "app", "a b", "%2e%2e", "etc");
  const beginning = fc.constantFrom(
    "",
    "/",
    "./",
    "../",
    "/home/me/app/",
    "file:///home/me/app/",
    "file:///",
    "//",
  );
  const path = fc
    .tuple(beginning, fc.array(part, { maxLength: 8 }))
    .map(([start, parts]) => start + parts.join("/"));
  fc.assert(
    fc.property(path, (given) => {
      const read = toWorkspacePath(given, one);
      if (read === given) return;
      assert.ok(!read.startsWith("/") && !read.split("/").includes(".."), `${given} → ${read}`);
      const asked = given.startsWith("file:") ? decodeURIComponent(given.slice("file://".length)) : given;
      const place = posix.resolve("/home/me/app", asked);
      assert.equal(posix.resolve("/home/me/app", read), place, given);
      assert.ok(place === "/home/me/app" || place.startsWith("/home/me/app/"), given);
    }),
    { numRuns: randomCases(5_000) },
  );
});
