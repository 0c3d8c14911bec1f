import { expect, it } from "vitest";
import { toWebAddress } from "./web-address";

it.each([
	["https://docs.example/a?b=c", "https://docs.example/a?b=c"],
	["http://docs.example", "http://docs.example/"],
	["javascript:alert(1)", undefined],
	["data:text/html,<script>", undefined],
	["refunds.md", undefined],
	[undefined, undefined],
])("opens the web alone: %j", (text, expected) => {
	expect(toWebAddress(text)?.href).toBe(expected);
});
