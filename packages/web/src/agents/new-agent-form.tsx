import { type FormEvent, useId } from "react";
import { useApp } from "../data/app-context";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import { navigate, toHref } from "../shell/route";
import { AGENT_STRINGS } from "../strings/agent-strings";
import { createFromTemplate, TEMPLATES, type Template } from "./agent-templates";

/** Knowledge bases that a template answers from. */
const MAX_BASES = 10;
const MAX_NAME_CHARACTERS = 64;

/** Form that creates an agent from a template, and opens it. */
export function NewAgentForm() {
	const words = AGENT_STRINGS;
	const { stemma } = useApp();
	const nameId = useId();
	const templateId = useId();
	const bases = useResource("bases of templates", (signal) =>
		stemma.knowledge.list({ limit: MAX_BASES }, { signal }),
	);
	const knowledgeBases = bases.value?.data.map(({ slug }) => slug) ?? [];
	const create = useAction(async (name: string, template: Template) => {
		const { id } = await stemma.agents.create({
			graph: createFromTemplate(template, { name, knowledgeBases }),
		});
		navigate(toHref("agents", id));
	});
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		const name = String(form.get("name")).trim();
		const template = TEMPLATES.find((known) => known === form.get("template"));
		if (name !== "" && template !== undefined) void create.run(name, template);
	};
	return (
		<form className="panel new-agent" onSubmit={submit}>
			<h2>{words.create}</h2>
			<div className="fields">
				<div className="field">
					<label htmlFor={nameId}>{words.name}</label>
					<input id={nameId} name="name" required maxLength={MAX_NAME_CHARACTERS} autoComplete="off" />
				</div>
				<div className="field">
					<label htmlFor={templateId}>{words.template}</label>
					<select id={templateId} name="template">
						{TEMPLATES.map((template) => (
							<option
								key={template}
								value={template}
								disabled={template === "knowledge" && knowledgeBases.length === 0}
							>
								{words.templates[template]}
							</option>
						))}
					</select>
					{bases.value && knowledgeBases.length === 0 && <p className="small">{words.noKnowledge}</p>}
				</div>
			</div>
			<button type="submit" className="primary" disabled={create.isRunning || bases.isLoading}>
				{words.createAction}
			</button>
			<ErrorNotice error={create.error ?? bases.error} />
		</form>
	);
}
