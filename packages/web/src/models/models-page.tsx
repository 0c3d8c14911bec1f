import {
	type LlmProvider,
	type LlmSettings,
	type LlmStages,
	NotConfiguredError,
	type UnsetLlmSettings,
	visibleText,
} from "@stemma/client";
import { useState } from "react";
import { useApp } from "../data/app-context";
import { formatTime } from "../data/format";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { SettingsForm } from "./settings-form";
import { StagePlan } from "./stage-plan";

/** Settings, plan and vendors, as the service has them. */
interface ModelsData {
	readonly settings: LlmSettings | UnsetLlmSettings;
	readonly stages: LlmStages;
	readonly vendors: readonly LlmProvider[];
}

/** Page of the model settings: what answers, the form to change it, and who is called and who pays. */
export function ModelsPage() {
	const words = STRINGS.models;
	const { stemma } = useApp();
	const { llmSettings } = stemma;
	const data = useResource("models", async (signal): Promise<ModelsData> => {
		const [settings, stages, vendors] = await Promise.all([
			llmSettings.get({ signal }),
			llmSettings.stages({ signal }),
			llmSettings.providers({ signal }),
		]);
		return { settings, stages, vendors: vendors.data };
	});
	/** Plan from before the last change. */
	const [before, setBefore] = useState<LlmStages>();
	const { value, error, reload } = data;
	const onChanged = async () => {
		setBefore(value?.stages);
		await reload();
	};
	const isUnavailable = error !== undefined && NotConfiguredError.is(error);
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint">{words.lead}</p>
			<ErrorNotice
				error={error}
				title={isUnavailable ? words.unavailable : undefined}
				onRetry={() => void reload()}
			/>
			{value === undefined && data.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{value && (
				<>
					<CurrentSettings settings={value.settings} />
					<SettingsForm settings={value.settings} vendors={value.vendors} onChanged={onChanged} />
					<StagePlan stages={value.stages} before={before} />
				</>
			)}
		</div>
	);
}

function CurrentSettings({ settings }: { readonly settings: LlmSettings | UnsetLlmSettings }) {
	const words = STRINGS.models;
	if (settings.provider === null)
		return (
			<section className="panel">
				<h2>{words.unset}</h2>
				<p>{words.unsetText(visibleText(settings.deployment.model))}</p>
			</section>
		);
	const { base_url, model, has_api_key, status, updated_at } = settings;
	return (
		<section className="panel">
			<h2>{words.set}</h2>
			<p className="break">
				<strong>{visibleText(model)}</strong> · {visibleText(base_url)}
			</p>
			<p>{has_api_key ? words.keyStored : words.noKey}</p>
			{status === "undecryptable" && (
				<div className="notice bad" role="alert">
					<strong>{words.undecryptable}</strong>
					<p>{words.undecryptableText}</p>
				</div>
			)}
			<p className="small">{words.changedBy(formatTime(updated_at))}</p>
		</section>
	);
}
