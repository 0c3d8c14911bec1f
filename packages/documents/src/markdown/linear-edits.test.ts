import fc from "fast-check";
import { EditMap } from "micromark-util-edit-map";
import { expect, it } from "vitest";
import { patchEditMap } from "./linear-edits";

/** Stands for an event: only its place counts here. */
const toEvents = (names: readonly string[]) => names as unknown as Parameters<EditMap["consume"]>[0];

it("edits give what they give one after the other, from the last to the first", () => {
	patchEditMap();
	const edit = fc.record({
		gap: fc.nat(5),
		removed: fc.nat(3),
		added: fc.array(fc.string(), { maxLength: 3 }),
	});
	fc.assert(
		fc.property(fc.array(edit, { maxLength: 6 }), fc.nat(40), (edits, spare) => {
			let end = 0;
			const placed = edits.map(({ gap, removed, added }) => {
				// Edits at one place are one edit.
				const at = end + gap + 1;
				end = at + removed;
				return { at, removed, added };
			});
			const events = Array.from({ length: end + spare }, (_, index) => `event ${index}`);
			const expected = [...events];
			const map = new EditMap();
			for (const { at, removed, added } of placed) map.add(at, removed, toEvents(added));
			for (const { at, removed, added } of placed.toReversed()) expected.splice(at, removed, ...added);
			map.consume(toEvents(events));
			expect(events).toEqual(expected);
			map.consume(toEvents(events));
			expect(events).toEqual(expected);
		}),
	);
});
