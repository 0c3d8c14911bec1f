import { expect, it } from "vitest";
import { describeCall } from "./describe-call";

const approval = { id: "apr_1", node: "refund", tool: "refund_order", expires_at: "2030-01-01T00:00:00Z" };

it("shows the call with its exact arguments", () => {
	expect(describeCall({ ...approval, arguments: { order: "Ä1", lines: [1, null] } })).toBe(
		'refund_order (refund) {"order":"Ä1","lines":[1,null]}',
	);
	expect(describeCall({ ...approval, tool: "refund", arguments: {} })).toBe("refund {}");
});

it.each([
	["a new line", "a\nb", "a\\nb"],
	["an escape sequence", "\u001b[2Ja", "\\u001b[2Ja"],
	["a control character that JSON leaves as it is", "\u009b1A", "\\u{9b}1A"],
	["text turned around", "\u202eabc", "\\u{202e}abc"],
	["what takes no room", "a\u200bb", "a\\u{200b}b"],
	["a separator of lines", "a\u2028b", "a\\u{2028}b"],
])("writes %s so that it is seen", (_, order, shown) =>
	expect(describeCall({ ...approval, arguments: { order } })).toBe(
		`refund_order (refund) {"order":"${shown}"}`,
	),
);
