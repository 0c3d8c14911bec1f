import { describe, expect, it } from "vitest";
import { cutPassages } from "../../passages/cut-passages";
import { createZip } from "../../test-support/create-zip";
import { readPptx } from "./read-pptx";

const NAMESPACES = [
	'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
	'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
	'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
].join(" ");
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

interface TestSlide {
	readonly shapes: string;
	readonly notes?: string;
}

const relationships = (links: readonly (readonly [id: string, type: string, target: string])[]) =>
	'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
	links
		.map(([id, type, target]) => `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`)
		.join("") +
	"</Relationships>";

const slideXml = (root: string, shapes: string) =>
	`<p:${root} ${NAMESPACES}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${root}>`;

/** A presentation whose files are numbered the other way round than its slides. */
function pptx(slides: readonly TestSlide[]): Buffer {
	const files: Record<string, string> = {};
	const links = slides.map(({ shapes, notes }, index) => {
		const name = `slide${slides.length - index}`;
		files[`ppt/slides/${name}.xml`] = slideXml("sld", shapes);
		if (notes !== undefined) {
			files[`ppt/slides/_rels/${name}.xml.rels`] = relationships([
				["n", "notesSlide", `../notes/${name}.xml`],
			]);
			files[`ppt/notes/${name}.xml`] = slideXml("notes", shape("sldImg", "picture") + shape("body", notes));
		}
		return [`rId${index}`, "slide", `/ppt/slides/${name}.xml`] as const;
	});
	const ids = links.map(([id]) => `<p:sldId id="256" r:id="${id}"/>`).join("");
	return createZip({
		...files,
		"ppt/presentation.xml": `<p:presentation ${NAMESPACES}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels": relationships(links),
	});
}

const text = (value: string, properties = "") =>
	`<a:p><a:pPr ${/^\w+=/u.test(properties) ? `${properties}/>` : `>${properties}</a:pPr>`}<a:r><a:t>${value}</a:t></a:r></a:p>`;
const shape = (type: string | undefined, ...texts: string[]) =>
	`<p:sp><p:nvSpPr><p:nvPr>${type === undefined ? "" : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr>` +
	`<p:txBody>${texts.map((value) => (value.startsWith("<") ? value : text(value))).join("")}</p:txBody></p:sp>`;

const passagesOf = async (bytes: Buffer) =>
	cutPassages({ document_id: "d", title: "T", path: "a.pptx" }, await readPptx(bytes)).map(
		({ text, place }) => [place.slide, place.heading, text] as const,
	);

describe("readPptx", () => {
	it("reads slides in their order, with titles, lists, notes, and without what all slides repeat", async () => {
		const bytes = pptx([
			{ shapes: shape("ctrTitle", "Fees", "2026"), notes: "Say hello." },
			{
				shapes:
					shape("body", "Germany", text("Islands", 'lvl="1"')) +
					shape("title", "Countries") +
					shape(undefined, "A note in a box.") +
					shape("ftr", "ACME") +
					shape("sldNum", "2"),
			},
		]);
		expect(await passagesOf(bytes)).toEqual([
			[1, "Fees 2026", "Say hello."],
			[2, "Countries", "- Germany\n  - Islands\n\nA note in a box."],
		]);
		expect((await readPptx(bytes)).title).toBe("Fees 2026");
	});

	it("numbers lists that are numbered, and takes the bullets from those that have none", async () => {
		const bytes = pptx([
			{
				shapes:
					shape("title", "T") +
					shape(
						undefined,
						text("one", "<a:buAutoNum/>"),
						text("two", "<a:buAutoNum/>"),
						text("dot", "<a:buChar/>"),
					) +
					shape("body", text("none", "<a:buNone/>"), text("usual")),
			},
		]);
		expect(await passagesOf(bytes)).toEqual([[1, "T", "1. one\n2. two\n- dot\n\nnone\n\n- usual"]]);
	});

	it("reads tables with their header and merged cells", async () => {
		const cell = (value: string, attributes = "") =>
			`<a:tc ${attributes}><a:txBody>${text(value)}</a:txBody></a:tc>`;
		const table =
			'<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>' +
			`<a:tr>${cell("Zone")}${cell("Fee", 'gridSpan="2"')}${cell("", 'hMerge="1"')}</a:tr>` +
			`<a:tr>${cell("EU", 'rowSpan="2"')}${cell("1 kg")}${cell("4 €")}</a:tr>` +
			`<a:tr>${cell("", 'vMerge="1"')}${cell("5 kg")}${cell("9 €")}</a:tr>` +
			"</a:tbl></a:graphicData></a:graphic></p:graphicFrame>";
		const { parts } = await readPptx(pptx([{ shapes: `<p:grpSp>${table}</p:grpSp>` }]));
		expect(parts).toMatchObject([
			{ kind: "heading", text: "Slide 1" },
			{ text: "Zone | Fee | Fee\nEU | 1 kg | 4 €\nEU | 5 kg | 9 €", lead: "Zone | Fee | Fee" },
		]);
	});

	it("keeps slides apart: those without text, with the same title, with a title alone", async () => {
		const bytes = pptx([
			{ shapes: shape("title", "Results") },
			{ shapes: "" },
			{ shapes: shape("title", "Results") + shape(undefined, "More") },
			{ shapes: shape(undefined, "First line") },
			{ shapes: shape(undefined, "x".repeat(200)) },
		]);
		expect(await passagesOf(bytes)).toEqual([
			[1, "Results", "Results"],
			[3, "Results (3)", "More"],
			[4, "First line", "First line"],
			[5, "Slide 5", "x".repeat(200)],
		]);
	});

	it("refuses too many slides, and a presentation that has lost its main part", async () => {
		const many = pptx(Array.from({ length: 5_001 }, () => ({ shapes: "" })));
		await expect(readPptx(many)).rejects.toMatchObject({ code: "too_complex" });
		await expect(readPptx(createZip({ a: "b" }))).rejects.toMatchObject({ code: "unreadable" });
		const same = Array.from({ length: 1e6 }, () => '<p:sldId r:id="rId1"/>').join("");
		const repeated = createZip({
			"ppt/presentation.xml": `<p:presentation ${NAMESPACES}><p:sldIdLst>${same}</p:sldIdLst></p:presentation>`,
		});
		await expect(readPptx(repeated)).rejects.toMatchObject({ code: "too_complex" });
	});
});
