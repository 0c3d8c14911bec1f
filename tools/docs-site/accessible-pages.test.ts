import { expect, it } from "vitest";
import { toAccessiblePage } from "./accessible-pages";

it("names the parts of the page", () => {
	expect(toAccessiblePage('<div class="col-content"><p>Text</p></div><div class="col-sidebar"></div>')).toBe(
		'<div class="col-content" role="main"><p>Text</p></div><div class="col-sidebar" role="complementary"></div>',
	);
});

it("tells the level of headings that skip some, and leaves the others", () => {
	const page =
		'<h1>Class</h1><h4 class="x">Hierarchy</h4><h2>Methods</h2><h3>run</h3><h5>Index</h5><h4>Returns</h4>';
	expect(toAccessiblePage(page)).toBe(
		'<h1>Class</h1><h4 aria-level="2" class="x">Hierarchy</h4><h2>Methods</h2><h3>run</h3><h5 aria-level="4">Index</h5><h4>Returns</h4>',
	);
});
