import { expect, it } from "vitest";
import { describeNextSteps } from "../../scripts/demo-next-steps.mjs";

const demo = {
	data: ".stemma/demo",
	agents: ".stemma/demo/agents",
	credentials: ".stemma/demo/first-credentials.json",
	serviceUrl: "http://127.0.0.1:4000",
	runtimeUrl: "http://127.0.0.1:4120",
	link: "http://localhost:4000/#sign-in=sl_x",
	knowledgeBase: "handbook",
	agentId: "desk",
	body: JSON.stringify({ question: "What's new?" }),
};

it("prints requests as shells of POSIX quote them, and none on Windows, whose shells do not", () => {
	const text = describeNextSteps("linux", demo, 4000);
	expect(text).toContain(`-d '{"question":"What\\u0027s new?"}'`);
	expect(text).toContain(
		"Runtime  http://127.0.0.1:4120  agents: .stemma/demo/agents\n\nNext, in another terminal:",
	);
	const onWindows = describeNextSteps("win32", demo, 4000);
	expect(onWindows).not.toMatch(/curl|'|\\/);
	expect(onWindows).toContain("npm run stemma -- ask --data .stemma/demo");
});

it("says where the service is when its usual port was taken", () => {
	expect(describeNextSteps("linux", demo, 4000)).not.toContain("was not free");
	const other = { ...demo, serviceUrl: "http://127.0.0.1:51234" };
	expect(describeNextSteps("linux", other, 4000)).toContain(
		"write http://127.0.0.1:51234 in place of http://127.0.0.1:4000",
	);
});
