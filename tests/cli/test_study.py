"""limber study: plans that are refused by name, and the analysis of participants whose preferences are known.

The models' estimates are held against likelihoods written here anew and maximised by scipy."""

import itertools
import json
import xml.etree.ElementTree

import jsonschema
import numpy as np
import pytest
from places import ROOT
from scipy import optimize, stats

PLANS = sorted((ROOT / "examples" / "study").glob("*.json"))
SCHEMA = json.loads((ROOT / "docs" / "study.schema.json").read_text())


def valid(plan):
    jsonschema.validate(plan, SCHEMA, cls=jsonschema.Draft202012Validator)


def small_plan():
    plan = json.loads((ROOT / "examples" / "study" / "garcia-2-passive.json").read_text())
    plan["experiments"][0]["stimulus"]["scene"] = str(ROOT / "scenes" / "garcia-cylinder.json")
    return plan


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_examples_follow_the_schema(path):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    valid(json.loads(path.read_text()))


def experiment(plan):
    return plan["experiments"][0]


BROKEN = {  # (change, words of the error, whether the schema sees it too)
    "no version": (lambda p: p.pop("limber_study"), "limber_study", True),
    "unknown key": (lambda p: p.update(consnt="x"), 'did you mean "consent"?', True),
    "no experiment": (lambda p: p.update(experiments=[]), "no experiment", True),
    "unknown kind": (lambda p: experiment(p).update(kind="film-pair"), 'did you mean "film-pairs"?', True),
    "unknown key of an experiment": (lambda p: experiment(p).update(repeat=2), 'did you mean "repeats"?', True),
    "three in a pair": (lambda p: experiment(p)["compare"][0]["levels"].append({"name": "x", "set": {}}),
                        "one factor of two levels", False),
    "one level": (lambda p: experiment(p)["conditions"][0].update(levels=experiment(p)["conditions"][0]["levels"][:1]),
                  "two levels", True),
    "same name twice": (lambda p: experiment(p)["conditions"][0]["levels"][0].update(name="near-stiff"),
                        "stands twice", False),
    "two factors set one thing": (lambda p: experiment(p)["compare"][0]["levels"][0]["set"].update(
        camera={"eye": [0, 0, 1]}), 'both set "camera.eye"', False),
    "window of no clicks": (lambda p: experiment(p).update(window=[0, 1]), "only clicks", False),
    "question without choices": (lambda p: p["questions"][1].update(choices=["a"]), "nothing to choose", True),
    "name with a blank": (lambda p: experiment(p).update(name="a b"), "cannot be a name", True),
    "no scene": (lambda p: experiment(p)["stimulus"].pop("scene"), "no scene", False),
    "missing scene": (lambda p: experiment(p)["stimulus"].update(scene="none.json"), "none.json", False),
    "unknown key of a stimulus": (lambda p: experiment(p)["stimulus"].update(canon={}), 'did you mean "cannon"?', True),
    "unknown key of the cannon": (lambda p: experiment(p)["stimulus"]["cannon"].update(ball=3),
                                  'did you mean "balls"?', True),
    "unknown key of the body": (lambda p: experiment(p)["stimulus"]["body"].update(mods=3), 'did you mean "modes"?', False),
    "a hand in a film": (lambda p: experiment(p)["stimulus"].update(hand={"stiffness": 1}), "nobody pulls", False),
    "eye and orbit": (lambda p: experiment(p)["conditions"][0]["levels"][0]["set"]["camera"].update(
        orbit={"radii": [1, 1], "height": 1, "period": 5}), "a place and a way", False),
}


@pytest.mark.parametrize("name", BROKEN)
def test_bad_plans_are_refused_by_name(name, program, tmp_path):
    change, words, schema_too = BROKEN[name]
    plan = small_plan()
    change(plan)
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan))
    assert words in program.refuses("study", path, "--out", tmp_path / "out", "--port", 0)
    if schema_too:
        with pytest.raises(jsonschema.ValidationError):
            valid(plan)


def test_bad_calls_are_refused(program, tmp_path):
    assert "-o" in program.refuses("study", "--analyse", tmp_path)
    (tmp_path / "empty").mkdir()
    assert "no participants" in program.refuses("study", "--analyse", tmp_path / "empty", "-o", tmp_path / "x")
    (tmp_path / "odd.json").write_text("{}")
    assert "limber_study" in program.refuses("study", "--analyse", tmp_path / "odd.json", "-o", tmp_path / "x")


# Participants whose preferences are known.

MODEL = {"name": "model", "levels": ["global", "local"]}
SCENARIO = {"name": "scenario", "levels": ["near", "far"]}
QUALITY = {"name": "modes", "levels": ["4", "10"]}
MATERIAL = {"name": "material", "levels": ["soft", "medium", "stiff"]}


def participants(folder, count, experiment_, trials_of):
    """Files as the ledger writes them; trials_of(participant) gives (condition, repeat, shown, answer)."""
    (folder / "participants").mkdir(parents=True)
    for number in range(count):
        trials = [{"experiment": experiment_["name"], "condition": condition, "repeat": repeat, "shown": shown, "answer": answer}
                  for condition, repeat, shown, answer in trials_of(number)]
        (folder / "participants" / f"{number + 1:04}.json").write_text(json.dumps(
            {"limber_study": 1, "plan": "x", "participant": number + 1, "experiments": [experiment_], "trials": trials}))
    return folder


def pair_study(folder, people, preference, spread, seed, repeats=2):
    random = np.random.default_rng(seed)
    own = spread * random.standard_normal(people)

    def trials(person):
        for scenario, repeat in itertools.product(SCENARIO["levels"], range(1, repeats + 1)):
            shown = [["global"], ["local"]]
            if random.random() < 0.5:
                shown.reverse()
            logit = preference + (0.4 if scenario == "near" else -0.4) + own[person]
            wanted = "local" if random.random() < 1 / (1 + np.exp(-logit)) else "global"
            yield [scenario], repeat, shown, {"choice": shown.index([wanted]) + 1}

    return participants(folder, people, {"name": "pairs", "kind": "film-pairs", "repeats": repeats, "compare": [MODEL],
                                         "conditions": [SCENARIO]}, trials)


def analysed(program, folder):
    program.ok("study", "--analyse", folder, "-o", folder / "analysis")
    return json.loads((folder / "analysis" / "analysis.json").read_text())["experiments"][0]


def estimate(result, name):
    return next(one for one in result["estimates"] if one["name"] == name)


def test_pairs_agree_with_a_likelihood_written_anew(program, tmp_path):
    folder = pair_study(tmp_path / "s", 24, 0.9, 0.8, 5)
    result = analysed(program, folder)
    rows = []
    for path in sorted((folder / "participants").glob("*.json")):
        person = json.loads(path.read_text())
        rows.append([(1, -0.5 if t["condition"] == ["near"] else 0.5, -0.5 if t["shown"][0] == ["local"] else 0.5,
                      float(t["shown"][t["answer"]["choice"] - 1] == ["local"])) for t in person["trials"]])
    rows = np.array(rows)
    z, weight = np.polynomial.hermite_e.hermegauss(120)  # not adapted to anybody: as many nodes as that needs

    def negative(x):
        eta = rows[..., :3] @ x[:3]
        logit = eta[..., None] + x[3] * z
        log = np.where(rows[..., 3, None] > 0, -np.logaddexp(0, -logit), -np.logaddexp(0, logit)).sum(axis=1)
        return -np.log((np.exp(log) * weight).sum(axis=1) / np.sqrt(2 * np.pi)).sum()

    best = optimize.minimize(negative, [0.1, 0, 0, 0.5], method="BFGS", options={"gtol": 1e-7})
    assert result["log_likelihood"] == pytest.approx(-best.fun, abs=1e-6)
    # The likelihoods agree to 1e-6, so the places of their flat tops to the root of that.
    assert [one["value"] for one in result["estimates"]] == pytest.approx(best.x[:3], abs=2e-3)
    assert result["spread"] == pytest.approx(abs(best.x[3]), abs=5e-3)
    # Its Hessian by central differences.
    h, n = 1e-3, 4
    unit = np.eye(n) * h
    hessian = np.array([[(negative(best.x + a + b) - negative(best.x + a - b) - negative(best.x - a + b)
                          + negative(best.x - a - b)) / (4 * h * h) for b in unit] for a in unit])
    errors = np.sqrt(np.diag(np.linalg.inv(hessian)))
    assert [one["standard_error"] for one in result["estimates"]] == pytest.approx(errors[:3], rel=0.01)
    # The paper's test: people's shares against one half.
    shares = rows[..., 3].mean(axis=1)
    t = stats.ttest_1samp(shares, 0.5)
    model = result["paper"]["by_people"][0]
    assert (model["term"], model["freedom"], model["error_freedom"]) == ("model", 1, 23)
    assert model["statistic"] == pytest.approx(t.statistic ** 2, rel=1e-9)
    assert model["p"] == pytest.approx(t.pvalue, rel=1e-9)
    assert result["paper"]["repeats_as_people"][0]["error_freedom"] == 47


def test_a_known_preference_is_found_again_and_no_preference_is_not(program, tmp_path):
    inside = found = 0
    for seed in range(12):
        result = analysed(program, pair_study(tmp_path / f"a{seed}", 40, 0.8, 0.7, seed))
        one = estimate(result, "all")
        inside += abs(one["value"] - 0.8) < 1.96 * one["standard_error"]
        found += one["p"] < 0.05
    # 12 intervals of 95 %: fewer than nine would come once in 500 series; nobody overlooks 0.8.
    assert inside >= 9 and found >= 11
    quiet = [estimate(analysed(program, pair_study(tmp_path / f"b{seed}", 40, 0.0, 0.7, seed)), "all")["p"] for seed in range(8)]
    assert sum(p < 0.01 for p in quiet) <= 1


def test_ranks_agree_with_a_likelihood_written_anew(program, tmp_path):
    random = np.random.default_rng(3)
    items = [[m, q] for m in MODEL["levels"] for q in QUALITY["levels"]]

    def worth(material, item):
        local, fine = item[0] == "local", item[1] == "10"
        return (1.4 if material == "soft" else 0.4) * local + 0.6 * fine - 0.5 * local * fine

    def trials(_):
        for material in MATERIAL["levels"]:
            shown = [items[k] for k in random.permutation(4)]
            noisy = [worth(material, item) + random.gumbel() for item in shown]
            yield [material], 1, shown, {"ranking": [int(k) + 1 for k in np.argsort(noisy)[::-1]]}

    folder = participants(tmp_path / "s", 60, {"name": "ranks", "kind": "rank", "repeats": 1, "compare": [MODEL, QUALITY],
                                               "conditions": [MATERIAL]}, trials)
    result = analysed(program, folder)

    def row(material, item):
        m, q = (item[0] == "local") - 0.5, (item[1] == "10") - 0.5
        a, b = (material == "medium") - 1 / 3, (material == "stiff") - 1 / 3
        return [m, q, a * m, b * m, a * q, b * q, m * q]

    sets = []
    for path in sorted((folder / "participants").glob("*.json")):
        for t in json.loads(path.read_text())["trials"]:
            sets.append([row(t["condition"][0], t["shown"][k - 1]) for k in t["answer"]["ranking"]])
    sets = np.array(sets)

    def negative(x):
        v = sets @ x
        return -sum((v[:, k] - np.log(np.exp(v[:, k:]).sum(axis=1))).sum() for k in range(3))

    best = optimize.minimize(negative, np.zeros(7), method="BFGS", options={"gtol": 1e-7})
    assert result["log_likelihood"] == pytest.approx(-best.fun, abs=1e-8)
    assert [one["value"] for one in result["estimates"]] == pytest.approx(best.x, abs=1e-4)
    # The truth, where the program says: the mean effect of the model and how it differs by material.
    truth = {"model: local": np.mean([1.4, 0.4, 0.4]) - 0.25, "modes: 10": 0.6 - 0.25,
             "model: local, modes: 10": -0.5, "material: stiff, model: local": -1.0}
    for name, value in truth.items():
        one = estimate(result, name)
        assert abs(one["value"] - value) < 3 * one["standard_error"], name
    tests = {one["term"]: one for one in result["likelihood_ratios"]}
    assert tests["material × model"]["freedom"] == 2 and tests["material × model"]["p"] < 0.05
    paper = {one["term"]: one for one in result["paper"]["by_people"]}
    assert paper["rank × material × modes"]["freedom"] == 6  # as in the paper
    assert paper["rank × model × modes"]["freedom"] == 3


def test_collisions_have_the_right_degrees_of_freedom(program, tmp_path):
    random = np.random.default_rng(9)
    own = 0.5 * random.standard_normal(14)

    def trials(person):
        for model, material, repeat in itertools.product(MODEL["levels"], MATERIAL["levels"], (1, 2)):
            logit = 1.6 + 0.7 * (model == "local") + 0.5 * (material == "stiff") + own[person]
            seen = int(random.binomial(12, 1 / (1 + np.exp(-logit))))
            yield [model, material], repeat, [[]], {"contacts": list(range(12)), "seen": seen, "false_alarms": [0.3]}

    result = analysed(program, participants(tmp_path / "s", 14, {
        "name": "collisions", "kind": "contacts", "repeats": 2, "compare": [], "conditions": [MODEL, MATERIAL]}, trials))
    one = estimate(result, "model: local")
    assert abs(one["value"] - 0.7) < 3 * one["standard_error"] and one["p"] < 0.001
    by_people = {test["term"]: test for test in result["paper"]["by_people"]}
    # 14 people: 13 and 26; the paper printed F(1, 27) and F(2, 54).
    assert (by_people["model"]["freedom"], by_people["model"]["error_freedom"]) == (1, 13)
    assert (by_people["material"]["freedom"], by_people["material"]["error_freedom"]) == (2, 26)
    printed = {test["term"]: test for test in result["paper"]["repeats_as_people"]}
    assert (printed["model"]["error_freedom"], printed["material"]["error_freedom"]) == (27, 54)
    assert "168 false alarms" in " ".join(result["notes"])


def test_everybody_alike_is_said_and_not_computed(program, tmp_path):
    def trials(_):
        for repeat in (1, 2):
            yield ["near"], repeat, [["global"], ["local"]], {"choice": 2}
            yield ["far"], repeat, [["local"], ["global"]], {"choice": 1}

    folder = participants(tmp_path / "s", 9, {"name": "pairs", "kind": "film-pairs", "repeats": 2, "compare": [MODEL],
                                              "conditions": [SCENARIO]}, trials)
    result = analysed(program, folder)
    assert result["reliable"] is False and result["estimates"] == []
    assert "no finite estimate" in " ".join(result["notes"])
    assert "36 of 36" in result["intervals"][0]["text"]
    for kind in ("svg", "png"):
        assert (folder / "analysis" / f"pairs.{kind}").stat().st_size > 1000
    xml.etree.ElementTree.parse(folder / "analysis" / "pairs.svg")
    assert "pairs.png" in (folder / "analysis" / "README.md").read_text()
