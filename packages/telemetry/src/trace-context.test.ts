import { describe, expect, it } from "vitest";
import { claimUsage, isUsageClaimed, readTraceHeaders, readUsageClaim } from "./trace-context";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_ID = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

const read = (traceparent: string | undefined, tracestate?: string) =>
	readTraceHeaders((name) => (name === "traceparent" ? traceparent : tracestate));

const members = (count: number): string =>
	Array.from({ length: count }, (_, index) => `k${index}=v`).join(",");

describe("traceparent", () => {
	it.each([
		["missing", undefined],
		["of version ff", `ff-${TRACE_ID}-${SPAN_ID}-01`],
		["of version 00 with more behind it", `${TRACEPARENT}-more`],
		["twice", `${TRACEPARENT}, ${TRACEPARENT}`],
		["in upper case", TRACEPARENT.toUpperCase()],
		["without a trace", `00-${"0".repeat(32)}-${SPAN_ID}-01`],
		["without a span", `00-${TRACE_ID}-${"0".repeat(16)}-01`],
		["cut", TRACEPARENT.slice(0, -1)],
		["of a later version that runs on without a hyphen", `01-${TRACE_ID}-${SPAN_ID}-01more`],
	])("that is %s is not read, nor is its tracestate", (_, traceparent) => {
		expect(read(traceparent, "a=b")).toBeUndefined();
	});

	it("of a later version is read as far as it is known", () => {
		expect(read(`cc-${TRACE_ID}-${SPAN_ID}-01-${"x".repeat(5000)}`)).toEqual({ traceparent: TRACEPARENT });
	});
});

describe("tracestate", () => {
	it.each(["a=b", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "t@v=1, b=2", members(32)])(
		"%s is kept",
		(state) => {
			expect(read(TRACEPARENT, state)).toEqual({ traceparent: TRACEPARENT, tracestate: state });
		},
	);

	it.each([
		["is empty", ""],
		["is longer than 512 characters", `a=${"x".repeat(511)}`],
		["has more than 32 members", members(33)],
		["has a character that is not printable", "a=\u0007"],
		["has a character outside ASCII", "a=é"],
		["has a member that is no pair", "a=b,c"],
	])("that %s is left out", (_, state) => {
		expect(read(TRACEPARENT, state)).toEqual({ traceparent: TRACEPARENT });
	});
});

describe("a claim of usage", () => {
	it("is not part of what is read: whoever knows the caller decides", () => {
		expect(read(TRACEPARENT, "stemma=usage,a=b")).toEqual({ traceparent: TRACEPARENT, tracestate: "a=b" });
		expect(read(TRACEPARENT, "stemma=usage")).toEqual({ traceparent: TRACEPARENT });
		expect(readUsageClaim((name) => (name === "tracestate" ? "a=b, stemma=usage" : undefined))).toBe(true);
		expect(readUsageClaim(() => undefined)).toBe(false);
	});

	it("has room in a tracestate that is full: the last members go", () => {
		const full = claimUsage({ traceparent: TRACEPARENT, tracestate: members(32) });
		expect(isUsageClaimed(full)).toBe(true);
		expect(full.tracestate?.split(",")).toHaveLength(32);
		const long = claimUsage({ traceparent: TRACEPARENT, tracestate: `a=b,c=${"x".repeat(500)}` });
		expect(long.tracestate).toBe("stemma=usage,a=b");
	});
});
