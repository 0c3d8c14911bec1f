import { expect, it } from "vitest";
import { formatHelp, parseOptions } from "./options.ts";

it("read a load and a deployment, in their units", () => {
	const { load, deployment } = parseOptions([
		"--instances",
		"4",
		"--questions-per-second=20",
		"--stream-megabytes",
		"1",
	]);
	expect([deployment.instances, load.questionsPerSecond, deployment.streamMemory]).toEqual([
		4, 20, 1_048_576,
	]);
});

it("give the busiest workspace no less than its part", () => {
	expect(parseOptions(["--workspaces", "2", "--busiest-share", "0.1"]).load.busiestShare).toBe(0.5);
});

it.each([[["--instances", "many"]], [["--instances", ""]], [["--events-per-run=-1"]], [["--instance", "2"]]])(
	"refuse %j",
	(args) => {
		expect(() => parseOptions(args)).toThrow(args[0]?.split("=")[0]);
	},
);

it("are all explained", () => {
	expect(formatHelp()).toMatch(
		/--questions-per-second +questions that are answered from a knowledge base \(10\)/,
	);
});
