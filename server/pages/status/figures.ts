import { html, type Markup } from '../../../pipeline/html/markup.js';
import { figure } from '../../../pipeline/html/wording.js';
import { figureText, fullNumber } from '../../../pipeline/text/figure-text.js';
import type { Language } from '../../../pipeline/record/language.js';

const CHINESE = new Intl.NumberFormat('zh-CN', { notation: 'compact', maximumSignificantDigits: 3 });

/** Formats a figure as its language counts: `1.44 billion`, `14.4亿`; below a million in full. */
export function figureTextIn(value: number, language: Language): string {
  return language === 'zh' && value >= 1e6 ? CHINESE.format(value) : figureText(value);
}

/** Renders a figure, with the full number as its tooltip if it is shortened. */
export function figureIn(value: number, language: Language): Markup {
  if (language === 'en') return figure(value);
  const [short, full] = [figureTextIn(value, language), fullNumber(value)];
  return short === full ? html`${short}` : html`<span title="${full}">${short}</span>`;
}

const LOCALES = { en: 'en-US', zh: 'zh-CN' } as const;

/** Formats an age with its greatest unit, rounded down: `5 minutes`, `30 hours`, `12 天`. */
export function ageIn(seconds: number, language: Language): string {
  const [unit, size] =
    seconds < HOUR
      ? (['minute', 60] as const)
      : seconds < 2 * DAY
        ? (['hour', HOUR] as const)
        : (['day', DAY] as const);
  const format = new Intl.NumberFormat(LOCALES[language], { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.floor(seconds / size));
}

const HOUR = 3600;
const DAY = 86_400;
