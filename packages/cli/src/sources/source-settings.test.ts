import { expect, it } from "vitest";
import { toSourceSettings } from "./source-settings";

it("gives a site and a bucket all settings that they have", () => {
	const site = toSourceSettings("site", "https://a.example/", { depth: 2, pages: 10, delayMs: 0 });
	expect(site).toEqual({
		kind: "site",
		url: "https://a.example/",
		max_depth: 2,
		max_pages: 10,
		delay_ms: 0,
	});
	expect(toSourceSettings("s3", "s3://docs/handbook/", { virtualHost: true })).toEqual({
		kind: "s3",
		bucket: "docs",
		prefix: "handbook/",
		virtual_host: true,
	});
});

it("refuses options of other kinds, as they were typed", () => {
	expect(() => toSourceSettings("git", "https://a.example/b/c", { delayMs: 5 })).toThrow(
		'A source of the kind "git" has no --delay-ms.',
	);
});
