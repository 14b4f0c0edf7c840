//! What sections are called in the languages these tools write in.

use std::sync::LazyLock;

use regex::Regex;

use super::lines::plain;

/// Whether a title names the list of a requirement's criteria.
pub(super) fn is_acceptance(title: &str) -> bool {
    let title = plain(title).to_lowercase();
    title.chars().count() < 80 && ACCEPTANCE.iter().any(|word| title.contains(word))
}

/// Whether a title names the introduction, or a summary that serves as one.
pub(super) fn is_introduction(title: &str) -> bool {
    let title = named(title);
    INTRODUCTION.iter().any(|word| title == *word)
}

/// Whether a title names a section of requirements.
pub(super) fn is_requirements(title: &str) -> bool {
    let title = named(title);
    REQUIREMENTS.iter().any(|word| title.contains(word))
}

/// Whether a title stands above remarks, in the middle of criteria.
pub(super) fn is_aside(title: &str) -> bool {
    let title = named(title);
    ASIDE.iter().any(|word| title.starts_with(word))
}

/// Whether a title names the success criteria.
pub(super) fn is_success(title: &str) -> bool {
    let title = named(title);
    SUCCESS.iter().any(|word| title.contains(word))
}

/// What is left of a document's title without the words for the kind of document.
pub(super) fn subject(title: &str) -> &str {
    let title = title.trim().trim_matches('*').trim();
    let Some(found) = TITLE.as_ref().and_then(|words| words.captures(title)) else { return title };
    let rest = found.get(1).or(found.get(2)).map_or("", |rest| rest.as_str());
    rest.trim_matches(|c: char| c.is_whitespace() || ":：-–—|·".contains(c))
}

/// A title in small letters, without a number in front and a remark behind.
fn named(title: &str) -> String {
    let title = plain(title).to_lowercase();
    let title = title.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '、'));
    let end = title.find(['(', '（', '*']).filter(|at| *at > 0).unwrap_or(title.len());
    title[..end].trim().to_owned()
}

const ACCEPTANCE: &[&str] = &[
    "acceptance criteri",
    "acceptance scenario",
    "acceptance test",
    "ears criteria",
    "ears requirements",
    "验收标准",
    "验收准则",
    "验收条件",
    "验收场景",
    "接受标准",
    "接受准则",
    "驗收標準",
    "驗收準則",
    "驗收條件",
    "驗收場景",
    "驗收情境",
    "接受標準",
    "受け入れ基準",
    "受入基準",
    "受け入れ条件",
    "受入条件",
    "受け入れシナリオ",
    "受入シナリオ",
    "수용 기준",
    "인수 기준",
    "인수 조건",
    "수락 기준",
    "승인 기준",
    "인수 시나리오",
    "수락 시나리오",
    "critérios de aceitação",
    "critérios de aceite",
    "criterios de aceitação",
    "cenários de aceitação",
    "cenários de aceite",
    "criterios de aceptación",
    "criterios de aceptacion",
    "escenarios de aceptación",
    "escenarios de aceptacion",
    "critères d'acceptation",
    "critères d’acceptation",
    "scénarios d'acceptation",
    "scénarios d’acceptation",
    "akzeptanzkriterien",
    "akzeptanzszenarien",
    "criteri di accettazione",
    "scenari di accettazione",
    "acceptatiecriteria",
    "acceptatiescenario",
    "kryteria akceptacji",
    "scenariusze akceptacyjne",
    "критерии приемки",
    "критерии приёмки",
    "сценарии приемки",
    "сценарии приёмки",
    "критерії приймання",
    "kabul kriterleri",
    "kabul senaryoları",
    "tiêu chí chấp nhận",
    "kriteria penerimaan",
];

const INTRODUCTION: &[&str] = &[
    "introduction",
    "overview",
    "summary",
    "purpose",
    "executive summary",
    "feature summary",
    "feature overview",
    "介绍",
    "简介",
    "引言",
    "概述",
    "概览",
    "摘要",
    "介紹",
    "簡介",
    "概覽",
    "はじめに",
    "概要",
    "イントロダクション",
    "導入",
    "소개",
    "개요",
    "introdução",
    "visão geral",
    "resumo",
    "introducción",
    "introduccion",
    "resumen",
    "descripción general",
    "aperçu",
    "résumé",
    "présentation",
    "einleitung",
    "einführung",
    "überblick",
    "zusammenfassung",
    "introduzione",
    "panoramica",
    "inleiding",
    "overzicht",
    "wprowadzenie",
    "podsumowanie",
    "введение",
    "обзор",
    "вступ",
    "giriş",
    "özet",
    "giới thiệu",
    "tổng quan",
    "pendahuluan",
    "ringkasan",
];

const REQUIREMENTS: &[&str] = &[
    "requirement",
    "需求",
    "要件",
    "要求",
    "요구",
    "requisito",
    "requerimiento",
    "exigence",
    "anforderung",
    "vereiste",
    "wymagani",
    "требовани",
    "вимог",
    "gereksinim",
    "yêu cầu",
    "persyaratan",
    "kebutuhan",
];

const ASIDE: &[&str] = &[
    "note",
    "remark",
    "clarification",
    "rationale",
    "out of scope",
    "非目标",
    "备注",
    "備註",
    "说明",
    "補足",
    "備考",
    "メモ",
    "비고",
    "nota",
    "observações",
    "observaciones",
    "remarque",
    "hinweis",
    "anmerkung",
];

const SUCCESS: &[&str] = &[
    "success criteri",
    "success metric",
    "measurable outcome",
    "成功标准",
    "成功準則",
    "成功標準",
    "成功指标",
    "成功基準",
    "成功条件",
    "성공 기준",
    "측정 가능한",
    "critérios de sucesso",
    "criterios de éxito",
    "critères de succès",
    "erfolgskriterien",
    "criteri di successo",
    "kryteria sukcesu",
    "критерии успеха",
];

/// Words for the kind of document in front of its subject, or alone.
static TITLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)^(?:(?:the\s+)?(?:software\s+|product\s+|system\s+|feature\s+|functional\s+)*(?:requirements?|specifications?|spec)",
        r"(?:\s+(?:document|specifications?|spec))?|feature|需求(?:文档|文檔|规格|规格说明书|规格书|說明書|说明|分析)?|功能(?:规格|規格|规范)(?:说明书|書|书)?",
        r"|要件(?:定義書|定義|書)?|要求(?:仕様書|定義書|事項|文書)|機能仕様書?|요구사항(?:\s*(?:문서|명세서|정의서))?|기능\s*(?:명세서?|사양서?)",
        r"|(?:documento|especificação|especificación|documentação|documentación)\s+(?:de\s+|da\s+|do\s+)?(?:los\s+)?(?:requisitos|requerimientos|funcionalidade|funcionalidad|recurso|feature|característica)",
        r"|spécification(?:s)?(?:\s+(?:de\s+)?(?:la\s+)?(?:fonctionnalité|fonctionnelle))?|document\s+d(?:es|'|’)\s*exigences|anforderungsdokument|anforderungen|specyfikacja(?:\s+funkcjonalności|\s+funkcji)?|документ\s+требований|requisitos|requerimientos)",
        r"(?:$|\s*[:：\-–—|]\s*(.*)$|\s+[-–—|]\s+(.*)$)"
    ))
    .ok()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        assert!(is_acceptance("**受け入れ基準（Acceptance Criteria）**"));
        assert!(is_acceptance("Acceptance Criteria"));
        assert!(is_introduction("1. Introduction"));
        assert!(!is_introduction("Introduction to the parts"));
        assert!(is_requirements("기능 요구사항 (Functional Requirements)"));
        assert!(is_success("Success Criteria *(mandatory)*"));
    }

    #[test]
    fn subjects() {
        for (title, expected) in [
            ("Requirements Document", ""),
            ("Requirements Document: Dual-Layer Docs", "Dual-Layer Docs"),
            ("Feature Specification: Sign in", "Sign in"),
            ("Documento de Requisitos - Página", "Página"),
            ("需求文档", ""),
            ("需求文档：登录", "登录"),
            ("要件定義書", ""),
            ("Account balances", "Account balances"),
            ("기능 명세서: 사용자", "사용자"),
        ] {
            assert_eq!(subject(title), expected, "{title}");
        }
    }
}
