// Documents of all formats: how many questions to a mixed folder find their answer, how fast files are read, beside pdf-parse, LangChain's loaders and officeparser, and what that takes of the service. STEMMA_DATA names the folder of the data.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFiles, readQuestions } from "./documents/folder.mjs";
import { measureEventLoop } from "./documents/measure-event-loop.mjs";
import { measureMemory } from "./documents/measure-memory.mjs";
import { measureQuestions } from "./documents/measure-questions.mjs";
import { measureRate } from "./documents/measure-reading.mjs";
import { startReader } from "./documents/reader.mjs";
import { toTable } from "./engine/table.mjs";
import { createKnowledgeBase, ingest } from "./service/knowledge.mjs";
import { createReport } from "./service/report.mjs";
import { startService } from "./service/start-service.mjs";

const isQuick = process.argv.includes("--quick");
const isVerbose = process.argv.includes("--verbose");
/** What Markdown and HTML found before other formats were read, in the top 1, 3 and 8. */
const TEXT_TARGETS = [36, 40, 43];
const MIN_SHARE_OF_OTHERS = 0.85;
const MIXED_FILES = 1_000;

const folder = process.env.STEMMA_DATA;
if (folder === undefined) {
	console.log("Skipped: set STEMMA_DATA to a folder with folder-mixed and folder-mixed.questions.jsonl.");
	process.exit();
}
const files = readFiles(join(folder, "folder-mixed"));
const byExtension = (...extensions) => files.filter(({ extension }) => extensions.includes(extension));

async function withService(work) {
	const data = mkdtempSync(join(tmpdir(), "stemma-bench-"));
	const service = await startService(data);
	try {
		return await work(service);
	} finally {
		await service.stop();
		rmSync(data, { recursive: true, force: true });
	}
}

async function reportQuestions() {
	const questions = readQuestions(join(folder, "folder-mixed.questions.jsonl"));
	const found = await withService((service) => measureQuestions(service, files, questions));
	const rows = [...found.rows].map(([name, row]) => [name, row.questions, ...row.found].map(String));
	console.log(
		`${files.length} files: ${found.documents.ready} read, ${found.documents.failed} failed, ${found.refused.length} refused\n`,
	);
	for (const line of [...found.refused, ...found.failed]) console.log(`- ${line}`);
	console.log(
		`\n${toTable(["questions with the answer in", "questions", "top 1", "top 3", "top 8"], rows)}\n`,
	);
	if (isVerbose) console.log(`Not in the top 3:\n${found.missed.map((line) => `- ${line}`).join("\n")}\n`);
	return found.rows;
}

function compareWithTargets(report, rows) {
	const text = rows.get("Markdown, HTML, text");
	TEXT_TARGETS.forEach((target, index) => {
		report.atLeast(
			`Markdown, HTML and text, answers in the top ${[1, 3, 8][index]}`,
			text.found[index],
			"",
			target,
		);
	});
	const others = rows.get("others");
	report.atLeast(
		"other formats, answers in the top 3",
		others.found[1] / others.questions,
		"",
		MIN_SHARE_OF_OTHERS,
	);
}

/** Uploads each file `rounds` times, under other names and with another end, and waits until all are read. */
async function ingestCopies(service, own, rounds) {
	const base = await createKnowledgeBase(service, `${own[0].extension}-${rounds}`);
	const copies = Array.from({ length: rounds }, (_, round) =>
		own.map(({ name, bytes }) => ({
			knowledgeBase: base,
			name,
			text: Buffer.concat([bytes, Buffer.from(`\n\ncopy ${round}\n`)]),
			source: `${round}/${name}`,
		})),
	).flat();
	await ingest(service, copies);
	return (await service.send("GET", `/v1/knowledge-bases/${base}`)).passage_count;
}

/**
 * Passages of a second through a service that has read one round before, and the processor time that each takes: of the
 * service, and of the client, which is this process on the same processors.
 */
async function measureIngest(extension, rounds) {
	const own = byExtension(extension);
	return withService(async (service) => {
		await ingestCopies(service, own, 1);
		const cpuBefore = service.cpuWithChildren();
		const clientBefore = process.cpuUsage();
		const startedAt = performance.now();
		const passages = await ingestCopies(service, own, rounds);
		const seconds = (performance.now() - startedAt) / 1_000;
		const { user, system } = process.cpuUsage(clientBefore);
		const serviceTime = ((service.cpuWithChildren() - cpuBefore) * 1_000) / passages;
		const clientTime = (user + system) / passages;
		console.log(
			`${extension}: ${passages} passages; processor time of each: ${serviceTime.toFixed(0)} µs in the service, ${clientTime.toFixed(0)} µs in the client\n`,
		);
		return passages / seconds;
	});
}

const readWith = (reader) => async (file) => {
	const answer = await reader.read({ ...file, format: "text" });
	if ("error" in answer) throw new Error(answer.error.code);
	return answer.content;
};

const READING_HEADINGS = ["format", "reader", "files/s", "… of processor time", "read", "Stemma to it"];

const toRow = (extension, reader, { perSecond, perCpuSecond, good }, files, ratio) => [
	extension,
	reader,
	perSecond.toFixed(1),
	perCpuSecond.toFixed(1),
	`${good.length} of ${files.length}`,
	ratio,
];

async function reportReading(report) {
	const { PEERS } = await import("./documents/peers.mjs");
	const measureMs = isQuick ? 500 : 3_000;
	const reader = await startReader();
	const rows = [];
	for (const extension of ["pdf", "docx", "pptx", "xlsx", "odt", "csv", "eml"]) {
		const own = byExtension(extension);
		const mine = await measureRate(own, readWith(reader), measureMs);
		rows.push(toRow(extension, "Stemma", mine, own, ""));
		for (const peer of PEERS.filter(({ extensions }) => extensions.includes(extension))) {
			const theirs = await measureRate(own, ({ bytes }) => peer.read(bytes), measureMs);
			const ratio = theirs.perSecond === 0 ? "" : `${(mine.perCpuSecond / theirs.perCpuSecond).toFixed(2)} x`;
			rows.push(toRow(extension, peer.name, theirs, own, ratio));
		}
		if (extension === "pdf") {
			const pages = await countPages(mine.good, readWith(reader));
			report.atLeast("PDF, in a second of processor time", mine.roundsPerCpuSecond * pages, "pages", 60);
		}
		if (extension === "docx")
			report.atLeast("DOCX, in a second of processor time", mine.perCpuSecond, "files", 40);
	}
	await reader.stop();
	console.log(`${toTable(READING_HEADINGS, rows)}\n`);
}

async function countPages(pdfs, read) {
	let pages = 0;
	for (const file of pdfs)
		pages += Math.max(...(await read(file)).passages.map(({ place }) => place.page ?? 1));
	return pages;
}

const report = createReport();
compareWithTargets(report, await reportQuestions());
await reportReading(report);
report.atLeast(
	"Markdown through the service",
	await measureIngest("md", isQuick ? 6 : 20),
	"passages/s",
	8_000,
);
report.atLeast(
	"HTML through the service",
	await measureIngest("html", isQuick ? 6 : 20),
	"passages/s",
	8_000,
);
const eventLoop = await withService((service) => measureEventLoop(service, files));
report.report("event loop of the service while reading them, p99 of how late it is", eventLoop.p99, "ms");
report.report("… the latest, on a machine that does other things too", eventLoop.max, "ms");
report.atMost("… the longest processor time without a pause", eventLoop.busy, "ms", 50);
const memory = await withService((service) => measureMemory(service, files, MIXED_FILES));
console.log(`The service without its readers: at most ${memory.alone.toFixed(0)} MiB (resident)\n`);
report.atMost(
	`memory of service and readers while reading ${MIXED_FILES.toLocaleString("en")} mixed files`,
	memory.highest,
	"MiB",
	350,
);
console.log(report.toTable());
