import { expect, it } from "vitest";
import { DEFAULT_FIELDS, listFields, toggleField } from "./share-choice";

it("chooses what a field needs with it, and takes out what needs it", () => {
	const withTools = toggleField(DEFAULT_FIELDS, "tools");
	expect([...withTools]).toEqual(["input", "output", "tools", "steps"]);
	expect([...toggleField(withTools, "steps")]).toEqual(["input", "output"]);
	expect([...toggleField(new Set(["output", "links"]), "output")]).toEqual([]);
	expect([...DEFAULT_FIELDS]).toEqual(["input", "output"]);
});

it("offers steps to whoever sees them alone", () => {
	expect(listFields(true)).toHaveLength(6);
	expect(listFields(false)).toEqual(["input", "output", "links", "receipt"]);
});
