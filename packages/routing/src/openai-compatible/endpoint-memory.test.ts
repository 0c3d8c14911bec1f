import { expect, it } from "vitest";
import { createEndpointMemory } from "./endpoint-memory";

const traits = (...refused: string[]) => ({ refused });

it("forgets what was asked for the longest ago", () => {
	const memory = createEndpointMemory({ maxEntries: 2 });
	memory.learn("a", traits("temperature"));
	memory.learn("b", traits("stream_options"));
	expect(memory.recall("a")).toEqual(traits("temperature"));
	memory.learn("c", traits());
	expect(["a", "b", "c"].map((key) => memory.recall(key))).toEqual([
		traits("temperature"),
		undefined,
		traits(),
	]);
	memory.learn("a", traits("temperature", "tool_choice"));
	expect(memory.recall("a")?.refused).toHaveLength(2);
	expect(memory.recall("c")).toBeDefined();
});

it("holds 500 by default", () => {
	const memory = createEndpointMemory();
	for (let index = 0; index <= 500; index++) memory.learn(String(index), traits());
	expect([memory.recall("0"), memory.recall("1")]).toEqual([undefined, traits()]);
});

it.each([0, 1.5, Number.NaN])("takes no limit of %d", (maxEntries) => {
	expect(() => createEndpointMemory({ maxEntries })).toThrow("`maxEntries`");
});
