from lesson_driving import LessonDriver, opened
from lesson_scenes import PENDULUM, SHORT, WHOLE
SCENE = PENDULUM + WHOLE + SHORT
def test_shots(window, qtbot):
    n=[0]
    def grab(name):
        qtbot.wait(300)
        window.grab().save(f"/tmp/w/shot_{n[0]:02d}_{name}.png"); n[0]+=1
    d=LessonDriver(window,qtbot,"Ada",answers={4:{"body[0].tilt[1]":20}})
    grab("start")
    d.begin()
    while not d.dock.player.is_at_end:
        d.do_step(); grab(d.progress.step.kind)
        if d.progress.step.kind in("predict","check","measure","run"):
            window.set_theme("dark"); window.set_language("ja"); grab(d.progress.step.kind+"_ja"); window.set_theme("light"); window.set_language("en")
        if d.progress.step.kind=="run":
            window.action_table["inspector"].setChecked(True); window.session.select(("body",0)); grab("locked")
            window.action_table["inspector"].setChecked(False)
        d.go_on()
    grab("end")
    d.press(d.dock.end.leave); grab("left")
