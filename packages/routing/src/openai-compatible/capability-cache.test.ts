import { expect, it } from "vitest";
import { createCapabilityCache } from "./capability-cache";

const capabilities = (...unsupported: string[]) => ({ unsupported });

it("forgets what was asked for the longest ago", () => {
	const cache = createCapabilityCache({ maxEntries: 2 });
	cache.set("a", capabilities("temperature"));
	cache.set("b", capabilities("stream_options"));
	expect(cache.get("a")).toEqual(capabilities("temperature"));
	cache.set("c", capabilities());
	expect(["a", "b", "c"].map((key) => cache.get(key))).toEqual([
		capabilities("temperature"),
		undefined,
		capabilities(),
	]);
	cache.set("a", capabilities("temperature", "tool_choice"));
	expect(cache.get("a")?.unsupported).toHaveLength(2);
	expect(cache.get("c")).toBeDefined();
});

it("holds 500 by default", () => {
	const cache = createCapabilityCache();
	for (let index = 0; index <= 500; index++) cache.set(String(index), capabilities());
	expect([cache.get("0"), cache.get("1")]).toEqual([undefined, capabilities()]);
});

it.each([0, 1.5, Number.NaN])("takes no limit of %d", (maxEntries) => {
	expect(() => createCapabilityCache({ maxEntries })).toThrow("`maxEntries`");
});
