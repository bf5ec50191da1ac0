; The installer for Windows, for one user and without administrator's rights. Not run yet.
;     makensis /DVERSION=0.1.0 /DTREE=...\build\bundle\windows polhode.nsi
; TREE holds python\ (see installers/standalone.py), polhode.ico and LICENSE. Every version has a folder of its own.
Unicode true
SetCompressor /SOLID lzma
RequestExecutionLevel user
Name "Polhode ${VERSION}"
OutFile "polhode-${VERSION}-windows.exe"
InstallDir "$LOCALAPPDATA\Programs\Polhode ${VERSION}"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Polhode ${VERSION}"
!define START '"$INSTDIR\python\pythonw.exe" -P -s -m polhode_app'
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Section
    SetOutPath "$INSTDIR"
    File /r "${TREE}\*.*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\Polhode ${VERSION}.lnk" "$INSTDIR\python\pythonw.exe" "-P -s -m polhode_app" "$INSTDIR\polhode.ico"
    ; Recordings open by a double click; scenes and meshes have Polhode among the programs of "Open with".
    WriteRegStr HKCU "Software\Classes\Polhode ${VERSION}\shell\open\command" "" '${START} "%1"'
    WriteRegStr HKCU "Software\Classes\Polhode ${VERSION}\DefaultIcon" "" "$INSTDIR\polhode.ico"
    WriteRegStr HKCU "Software\Classes\.vtkhdf" "" "Polhode ${VERSION}"
    WriteRegStr HKCU "Software\Classes\.vtkhdf\OpenWithProgids" "Polhode ${VERSION}" ""
    WriteRegStr HKCU "Software\Classes\.toml\OpenWithProgids" "Polhode ${VERSION}" ""
    WriteRegStr HKCU "Software\Classes\.stl\OpenWithProgids" "Polhode ${VERSION}" ""
    WriteRegStr HKCU "${KEY}" "DisplayName" "Polhode ${VERSION}"
    WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\polhode.ico"
    WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
SectionEnd

Section un.install
    ; The machine code of this version, which its own Python knows the place of.
    nsExec::Exec '"$INSTDIR\python\python.exe" -P -s -c "import shutil; from polhode.jit.storage.kept import FILES; shutil.rmtree(FILES.path, True)"'
    RMDir /r "$INSTDIR\python"
    Delete "$INSTDIR\polhode.ico"
    Delete "$INSTDIR\LICENSE"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR" ; stays where the user has put files of his own
    Delete "$SMPROGRAMS\Polhode ${VERSION}.lnk"
    DeleteRegKey HKCU "Software\Classes\Polhode ${VERSION}"
    DeleteRegValue HKCU "Software\Classes\.vtkhdf\OpenWithProgids" "Polhode ${VERSION}"
    DeleteRegValue HKCU "Software\Classes\.toml\OpenWithProgids" "Polhode ${VERSION}"
    DeleteRegValue HKCU "Software\Classes\.stl\OpenWithProgids" "Polhode ${VERSION}"
    ReadRegStr $0 HKCU "Software\Classes\.vtkhdf" ""
    StrCmp $0 "Polhode ${VERSION}" 0 +2
    DeleteRegValue HKCU "Software\Classes\.vtkhdf" ""
    DeleteRegKey HKCU "${KEY}"
SectionEnd
