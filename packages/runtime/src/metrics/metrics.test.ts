import { Counter, Histogram, RunMeter } from "@stemma/telemetry";
import { expect, it } from "vitest";
import { createTestRuntime, STREAMED, scriptedPorts } from "../test-support/scripted";

interface Sample {
	readonly labels: Readonly<Record<string, string>>;
	readonly value: number;
}

/** Reads the text format of Prometheus, strictly: what a scraper would refuse throws. */
function parse(text: string): ReadonlyMap<string, { readonly type: string; readonly samples: Sample[] }> {
	const families = new Map<string, { type: string; samples: Sample[] }>();
	const seen = new Set<string>();
	let current = "";
	if (!text.endsWith("\n")) throw new Error("No line break at the end.");
	for (const line of text.slice(0, -1).split("\n")) {
		const head = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line);
		if (head?.[1] === "HELP" && families.has(head[2] ?? "")) throw new Error(`Twice: ${line}`);
		if (head?.[1] === "TYPE") {
			current = head[2] ?? "";
			families.set(current, { type: head[3] ?? "", samples: [] });
		}
		if (head !== null) continue;
		const [, name = "", labels = "", value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
		const family = families.get(current);
		const isOwn = name === current || (family?.type === "histogram" && /_(bucket|sum|count)$/.test(name));
		if (!isOwn || !Number.isFinite(Number(value)) || seen.has(`${name}{${labels}}`))
			throw new Error(`Not valid: ${line}`);
		seen.add(`${name}{${labels}}`);
		const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)];
		if (pairs.map(([whole]) => whole).join("") !== labels) throw new Error(`Labels: ${line}`);
		family?.samples.push({
			labels: { __name__: name, ...Object.fromEntries(pairs.map(([, key, label]) => [key, label])) },
			value: Number(value),
		});
	}
	return families;
}

it("counts runs, answers and agents as they happen", async () => {
	const ports = scriptedPorts((question) => {
		if (question === "fail") throw new Error("no");
		return "Good.";
	});
	const { get, post } = await createTestRuntime({
		agents: { desk: { nodes: [{ id: "a", kind: "coordinator" }] }, bad: {} },
		ports,
	});
	await post("/run/desk", { input: "hi" });
	await (await post("/run/desk", { input: "hi" }, STREAMED)).text();
	await post("/run/desk", { input: "fail" });
	await post("/run/nobody", { input: "hi" });
	await post("/run/desk", {});
	for (const path of ["/a", "/b", "/runs/run_1/events"]) await get(path);
	const response = await get("/metrics");
	expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
	const families = parse(await response.text());
	const values = (name: string) =>
		families.get(name)?.samples.map(({ labels: { __name__, ...labels }, value }) => [labels, value]);
	expect(values("stemma_runs_started_total")).toEqual([[{ agent: "desk" }, 3]]);
	expect(values("stemma_runs_ended_total")).toEqual([
		[{ agent: "desk", status: "completed" }, 2],
		[{ agent: "desk", status: "failed" }, 1],
	]);
	expect(values("stemma_model_calls_total")?.[0]?.[0]).toEqual({ payer: "none" });
	expect(values("stemma_http_requests_total")).toEqual([
		[{ route: "/run/:agentId", status: "200" }, 3],
		[{ route: "/run/:agentId", status: "404" }, 1],
		[{ route: "/run/:agentId", status: "400" }, 1],
		[{ route: "other", status: "404" }, 2],
		[{ route: "/runs/:id/events", status: "404" }, 1],
	]);
	expect(values("stemma_runs_refused_total")).toEqual([
		[{ reason: "agent_not_found" }, 1],
		[{ reason: "invalid_request" }, 1],
	]);
	expect(values("stemma_agents")).toEqual([
		[{ state: "ready" }, 1],
		[{ state: "stale" }, 0],
		[{ state: "invalid" }, 1],
	]);
	expect(values("stemma_runs_running")).toEqual([[{}, 0]]);
	const duration = families.get("stemma_run_duration_seconds")?.samples ?? [];
	const buckets = duration.filter(({ labels }) => labels.le !== undefined).map(({ value }) => value);
	expect(buckets).toEqual([...buckets].sort((one, other) => one - other));
	expect(buckets.at(-1)).toBe(3);
	expect(duration.at(-1)).toMatchObject({ labels: { agent: "desk" }, value: 3 });
	expect(values("process_resident_memory_bytes")?.[0]?.[1]).toBeGreaterThan(1e6);
});

it("is behind the same access as the rest", async () => {
	const { get } = await createTestRuntime({ token: "t0ken" });
	expect((await get("/metrics")).status).toBe(401);
	expect((await get("/metrics", { authorization: "Bearer t0ken" })).status).toBe(200);
});

it("keeps its size, whatever is counted", () => {
	const counter = new Counter("a_total", "A.");
	for (let index = 0; index < 5_000; index++) counter.add({ agent: `a"\\\n${index}` });
	const samples = parse(counter.write()).get("a_total")?.samples ?? [];
	expect(samples).toHaveLength(2_001);
	expect(samples.at(-1)).toMatchObject({ labels: { agent: "other" }, value: 3_000 });
});

it("does not count the time that a run waits", () => {
	const duration = new Histogram("d", "D.", [2]);
	const counter = new Counter("c", "C.");
	const [started, ended, modelCalls, modelTokens, toolCalls] = [counter, counter, counter, counter, counter];
	const meter = new RunMeter(
		{ started, ended, duration, modelCalls, modelTokens, toolCalls },
		{ agent: "desk" },
	);
	const usage = { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 };
	const result = { run_id: "r", output: null, citations: [], usage, receipt: [] };
	meter.onEvent({ type: "run.started", run_id: "r", seq: 1, at: 0 });
	meter.onEvent({
		type: "run.paused",
		run_id: "r",
		seq: 2,
		at: 1_000,
		result: { ...result, status: "paused" },
	});
	meter.onEvent({ type: "run.resumed", run_id: "r", seq: 3, at: 100_000 });
	meter.onEvent({
		type: "run.completed",
		run_id: "r",
		seq: 4,
		at: 100_500,
		result: { ...result, status: "completed" },
	});
	expect(duration.write()).toContain('d_sum{agent="desk"} 1.5\n');
});
