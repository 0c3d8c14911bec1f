import { describe, expect, it } from "vitest";
import { fromHtml, fromMarkdown } from "./without-markup";

describe("text without its markup", () => {
	it("has a line for each block of HTML, and its characters", () => {
		const html =
			"<head><title>x</title></head><h1>Re&shy;funds</h1><p>Five <b>days</b> &amp; more&#8230;<br>a &lt; b</p>";
		expect(fromHtml(html)).toBe("Re&shy;funds\nFive days & more…\na < b\n");
	});

	it("leaves scripts, styles and comments out", () => {
		expect(fromHtml("a<script>alert(1)</script><!-- <p>no</p> --><style>p{}</style>b")).toBe("ab");
	});

	it("keeps the words of Markdown", () => {
		const markdown =
			"## Leave\n\n- **16 weeks** of [paid leave](https://a.example/x_(y)) for `all`\n> 1.5 % -5";
		expect(fromMarkdown(markdown)).toBe("Leave\n\n16 weeks of paid leave for all\n1.5 % -5");
	});
});
