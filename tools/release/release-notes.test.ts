import { expect, it } from "vitest";
import { toReleaseNotes } from "./release-notes";

const CHANGELOG = `# @stemma/client

## 0.2.0

### Minor Changes

- Runs are rejoined.

  - also on phones

### Patch Changes

- Retries wait longer.

## 0.1.0

### Minor Changes

- First release.
`;
const RAISED_ALONE = "# stemma\n\n## 0.2.0\n\n## 0.1.0\n\n### Minor Changes\n\n- First release.\n";

it("has what changed in each package, and nothing of packages that were only raised", () => {
	const changelogs = [
		{ name: "@stemma/client", text: CHANGELOG },
		{ name: "stemma", text: RAISED_ALONE },
	];
	expect(toReleaseNotes(changelogs, "0.2.0")).toBe(
		"## @stemma/client\n\n- Runs are rejoined.\n\n  - also on phones\n\n- Retries wait longer.\n",
	);
	expect(toReleaseNotes(changelogs, "0.1.0")).toBe(
		"## @stemma/client\n\n- First release.\n\n## stemma\n\n- First release.\n",
	);
	expect(toReleaseNotes(changelogs, "0.3.0")).toBe("");
});
