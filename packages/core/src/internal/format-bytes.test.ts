import { expect, it } from "vitest";
import { formatBytes } from "./format-bytes";

const MEBIBYTE = 1024 * 1024;

it.each([
	[0, "0 bytes"],
	[1023, "1023 bytes"],
	[1024, "1.0 KiB"],
	[20 * MEBIBYTE, "20 MiB"],
	[1.5 * 1024 * MEBIBYTE, "1.5 GiB"],
])("writes %i bytes as %s", (bytes, text) => {
	expect(formatBytes(bytes)).toBe(text);
});
