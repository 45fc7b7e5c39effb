// Numbers and times as sentences have them.

const numbers = new Intl.NumberFormat('en')

export function number(n: number): string {
  return numbers.format(n)
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${number(n)} ${n === 1 ? one : many}`
}

export function percent(share: number): string {
  const p = share * 100
  return `${p > 0 && p < 1 ? '< 1' : Math.round(p)} %`
}

export function seconds(s: number): string {
  if (s < 0.95) return `${Math.max(1, Math.round(s * 1000))} ms`
  if (s < 90) return `${s.toFixed(s < 10 ? 1 : 0)} s`
  return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`
}

export function clock(at: string): string {
  const t = new Date(at)
  return Number.isNaN(t.getTime()) ? '' : t.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

// A message of the program as a sentence. A name with digits or underscores that it begins with stays as it is.
export function sentence(text: string): string {
  const t = text.trim()
  if (!t) return ''
  return (/^\S*[\d_]/.test(t) ? t : capital(t)) + (/[.!?…]$/.test(t) ? '' : '.')
}

export function figure(v: number, digits = 2): string {
  return v.toFixed(digits).replace('-', '−')
}
