import { readFile } from "node:fs/promises";
import { parser } from "@prometheus-io/lezer-promql";
import { beforeAll, describe, expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: the codes of the service itself, which no package exports.
import { hasStatus } from "../../packages/service/src/http/statuses";
// biome-ignore lint/style/noRestrictedImports: the metrics of the service itself, which no package exports.
import { createServiceMetrics } from "../../packages/service/src/telemetry/service-metrics";
// biome-ignore lint/style/noRestrictedImports: values for them.
import { NO_GAUGES } from "../../packages/service/src/test-support/no-gauges";
import { parseYaml } from "./parse-yaml.ts";

interface Rule {
	readonly alert: string;
	readonly expr: string;
	readonly for?: string;
	readonly labels: { readonly severity: string };
	readonly annotations: { readonly summary: string };
}

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

const { groups } = parseYaml(await read("deploy/prometheus/stemma.rules.yaml")) as {
	readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const operations = await read("docs/operations.md");
const selfHosting = await read("docs/self-hosting.md");

/** Labels of each metric of the service, by its name. */
const metrics = new Map<string, ReadonlySet<string>>();
beforeAll(() => {
	for (const [name, labels] of readMetrics(writeEverything())) metrics.set(name, labels);
	// Prometheus' own: whether it could read the metrics.
	metrics.set("up", new Set());
});

/** Labels that Prometheus adds to each series. */
const TARGET_LABELS = ["job", "instance"];

/** The text of all metrics, each counted once with all of its labels. */
function writeEverything(): string {
	const service = createServiceMetrics();
	service.countRequest({ method: "POST", route: "/oauth/token" }, 401, 1);
	service.countError("internal_error");
	const usage = { input_tokens: 1, output_tokens: 1, ms: 1 };
	const row = { ...usage, provider: "p", stage: "answer", payer: "none" };
	service.countCall(row as Parameters<typeof service.countCall>[0], true);
	service.countRunEnd("failed");
	service.observeRetrieval(1);
	service.observeWrite(1);
	service.countIngested({ completed: 1, failed: 1, passages: 1 });
	service.countSync("failed");
	const text = service.write(NO_GAUGES);
	service.stop();
	return text;
}

function readMetrics(text: string): ReadonlyMap<string, ReadonlySet<string>> {
	const found = new Map<string, Set<string>>();
	for (const [, name = "", type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
		for (const suffix of type === "histogram" ? ["_bucket", "_sum", "_count"] : [""])
			found.set(name + suffix, new Set());
	for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm))
		for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) found.get(name)?.add(label);
	return found;
}

/** Parts of a PromQL expression, by the grammar of Prometheus. */
function readExpression(expression: string) {
	const names: string[] = [];
	const labels: string[] = [];
	const errors: string[] = [];
	const codes: string[] = [];
	parser.parse(expression).iterate({
		enter({ type, from, to }) {
			const text = expression.slice(from, to);
			if (type.isError) errors.push(expression.slice(Math.max(0, from - 20), to + 20));
			if (type.name === "Identifier") names.push(text);
			if (type.name === "LabelName") labels.push(text);
			const [, value = ""] = /^code=~?"(.*)"$/.exec(text) ?? [];
			if (type.name === "UnquotedLabelMatcher" && value !== "") codes.push(...value.split("|"));
		},
	});
	return { names, labels, errors, codes };
}

describe.each(rules.map((rule) => [rule.alert, rule] as const))("%s", (name, rule) => {
	const { names, labels, errors, codes } = readExpression(rule.expr);

	it("is an expression of metrics that the service has", () => {
		expect(errors).toEqual([]);
		expect(names.length).toBeGreaterThan(0);
		expect(names.filter((metric) => !metrics.has(metric))).toEqual([]);
	});

	it("names labels that these metrics have", () => {
		const known = new Set([...TARGET_LABELS, ...names.flatMap((metric) => [...(metrics.get(metric) ?? [])])]);
		expect(labels.filter((label) => !known.has(label))).toEqual([]);
		const shown = [...rule.annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label);
		// An aggregation keeps what it names alone.
		const kept = /\bby \(/.test(rule.expr) ? labels : [...known];
		expect(shown.filter((label) => !kept.includes(label))).toEqual([]);
	});

	it("names codes of errors that there are", () => {
		expect(codes.filter((code) => !hasStatus(code))).toEqual([]);
	});

	it("has a severity, and a row that says what to do", () => {
		expect(["critical", "warning"]).toContain(rule.labels.severity);
		expect(operations).toContain(`| \`${name}\` | ${rule.labels.severity} |`);
	});
});

it("are read by the configuration of Prometheus, whose job they name", async () => {
	const configuration = parseYaml(await read("deploy/prometheus/prometheus.yaml")) as {
		readonly rule_files: readonly string[];
		readonly scrape_configs: readonly { readonly job_name: string; readonly authorization: object }[];
	};
	expect(configuration.rule_files).toEqual(["stemma.rules.yaml"]);
	expect(configuration.scrape_configs.map(({ job_name }) => job_name)).toEqual(["stemma"]);
	const jobs = rules.flatMap(({ expr }) => [...expr.matchAll(/job="(\w+)"/g)].map(([, job]) => job));
	expect(new Set(jobs)).toEqual(new Set(["stemma"]));
});

it("is an alert of the table for each of its rows", () => {
	const rows = [...operations.matchAll(/^\| `(Stemma\w+)` \|/gm)].map(([, name]) => name);
	expect(rows).toEqual(rules.map(({ alert }) => alert));
});

it("are all documented: each metric has its row", () => {
	const [, section = ""] = selfHosting.split("\n## Metrics\n");
	const table = section.split("\n## ")[0] ?? "";
	const names = [...metrics.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ""));
	const missing = [...new Set(names)].filter((name) => name !== "up" && !table.includes(`\`${name}\``));
	expect(missing).toEqual([]);
});
