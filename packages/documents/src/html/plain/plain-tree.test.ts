import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFullHtml } from "../full-tree";
import { readHtmlParts } from "../html-parts";
import type { HtmlParent } from "../html-tree";
import { descendants, findMain } from "../main-content";
import { parsePlainHtml } from "./plain-tree";

/** Parts of a tree as readers see them. */
function read(source: string, tree: HtmlParent) {
	const elements = descendants(tree);
	const main = findMain(elements);
	const title = elements.find(({ tagName }) => tagName === "title");
	const texts = title?.children.map((node) => (node.kind === "text" ? node.value : ""));
	const readParts = (root: HtmlParent, skipBoilerplate: boolean) =>
		readHtmlParts(source, root, { inMain: !skipBoilerplate, skipBoilerplate });
	return {
		title: texts?.join(""),
		main: main && readParts(main, true),
		content: readParts(tree, true),
		all: readParts(tree, false),
	};
}

/** Compares a plain tree with the one of the full parser. @returns whether the source is plain. */
function compare(source: string, isFragment: boolean): boolean {
	const plain = parsePlainHtml(source, isFragment);
	if (plain !== undefined)
		expect(read(source, plain)).toEqual(read(source, parseFullHtml(source, isFragment)));
	return plain !== undefined;
}

const PLAIN = [
	"text <p>one<p>two &amp; three<br>four <b>bold <i>both</i></b></p> end",
	"<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>A &lt; B</title><script>a < b</script>\n</head>\n<body class=x>\n<p>t</p>\n</body>\n</html>\n\ncopy 1\n",
	'<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html><body><hr/><p>x<table><tr><td/></table>',
	"<title>T</title><!-- c --><link rel=a><style>p{}</style> <p>x",
	"<p>in a paragraph<table><tr><td>of quirks",
	"<ul><li>one<ul><li>deep</ul><li>two<p>more</ul><dl><dt>a<dd>b<dt>c</dl>",
	"<table><caption>C<tr><th>a<th>b<tr><td>1<td><p>2</table>",
	"<table><col><colgroup><col></colgroup><thead><tr><td>h<tbody><td>1</td></tr>\n<tfoot><tr><td>f</table>x",
	"<table><tr><td><table><tr><td><b>in</table>out</table>",
	"<table><td><b>open</td><td>next</table>",
	"<pre>\nfirst\n  second</pre><pre>\r\n\r\nthird</pre>",
	"<h1>one<h2>two</h2><h3>three</h3>",
	"<select><option>a<optgroup label=x><option>b</select><svg viewBox='0 0 1 1'><title>t</title><path d='M0'/></svg>x",
	"<script><!-- a //--></script><noscript><p></noscript><textarea><p></textarea><iframe><p></iframe>x",
	"<img alt='a &amp; b' alt=c><IMG ALT=d><p HIDDEN>x<x-y role = main>z</x-y>",
	"a < b, 1 <2 &nbsp; &copy c &notit; &#x41; x<!-- c -->y",
	"<a href='x'><div>block</div></a><form><input><button>b</button></form><object><p>o</object>",
	"<main><article>a</main>b",
];

const ODD = [
	"<p><b>one<p>two",
	"<b><p>one</b>two",
	"<a>one<a>two</a>",
	"<table>text<tr><td>x</table>",
	"<table><p>x</table>",
	"</p>",
	"<div></span></div>",
	"<ul></li></ul>",
	"<template><p>x</template>",
	"<math><mi>x</mi></math>",
	"<svg><foreignObject><p>x</p></foreignObject></svg>",
	"<ruby>x<rt>y</ruby>",
	"<form><form>",
	"<frameset>",
	"<body><body>",
	"<p a='x",
	"<p a=x'y>",
	"<p <b>",
	"</p class=x>",
	"<script>x",
	"<script><!-- <script></script>x",
	"<!-- x --!> y",
	"<!-->x",
	"<![CDATA[x]]>",
	"<p>x<!doctype html>",
	'<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
	"x\0y",
	"<div>".repeat(201),
];

describe("parsePlainHtml", () => {
	it("gives the tree of the full parser", () => {
		for (const source of PLAIN) expect([source, compare(source, false)]).toEqual([source, true]);
	});

	it("leaves what browsers repair to the full parser", () => {
		for (const source of ODD) expect([source, compare(source, false)]).toEqual([source, false]);
	});

	it("gives the tree of the full parser for a part of a page", () => {
		for (const source of [
			"<p>a<table><tr><td>b</table>",
			"x<li>y<li>z",
			"<b>bold</b> & more",
			"<style>p</style>",
		])
			expect([source, compare(source, true)]).toEqual([source, true]);
		for (const source of ["<td>x", "<tr><td>x", "<body>x", "<html>x"])
			expect([source, compare(source, true)]).toEqual([source, false]);
	});

	it("gives the tree of the full parser for whatever markup it takes for plain", () => {
		const inline = [
			"text",
			" ",
			"\n",
			"&amp;",
			"&copy x",
			"&#10;",
			"a < b",
			"\r\n",
			"<br>",
			"<img alt=i>",
			"<!--c-->",
		];
		const tags =
			"p div span b a i ul li dl dt dd h1 h2 table caption colgroup tbody tr td th pre form button main".split(
				" ",
			);
		const others = [
			"<col>",
			"<hr/>",
			"<script>s</script>",
			"<p hidden>",
			"<div role=main>",
			"<title>t</title>",
			"</body>",
			"<head>",
			"<svg/>",
		];
		const markup = fc.letrec<{ nodes: string; node: string }>((tie) => ({
			nodes: fc.array(tie("node"), { maxLength: 5 }).map((nodes) => nodes.join("")),
			node: fc.oneof(
				{ depthSize: "small" },
				fc.constantFrom(...inline),
				fc.constantFrom(...others),
				fc
					.tuple(fc.constantFrom(...tags), tie("nodes"), fc.boolean())
					.map(([tag, nodes, isClosed]) => `<${tag}>${nodes}${isClosed ? `</${tag}>` : ""}`),
				fc
					.array(tie("nodes"), { maxLength: 3 })
					.map((cells) => `<table><tr>${cells.map((cell) => `<td>${cell}`).join("")}</table>`),
			),
		})).nodes;
		fc.assert(
			fc.property(markup, fc.boolean(), (source, isFragment) => void compare(source, isFragment)),
			{
				numRuns: 500,
			},
		);
	});
});
