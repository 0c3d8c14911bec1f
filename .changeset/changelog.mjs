// Lines of changelogs: what a changeset says, without commits and without raised siblings, which all have one version.

/** @param {{ summary: string }} changeset */
export async function getReleaseLine({ summary }) {
	const [first, ...rest] = summary.trim().split("\n");
	return [`- ${first}`, ...rest.map((line) => (line.trim() === "" ? "" : `  ${line}`))].join("\n");
}

export const getDependencyReleaseLine = async () => "";
